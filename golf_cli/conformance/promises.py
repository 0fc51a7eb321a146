"""Everything that is promised, in the order in which it is tried."""

from typing import Final

from golf_cli.conformance.lines import legal_lines, lines_and_outcomes, no_peeking
from golf_cli.conformance.outcomes import (
    FEW,
    arrays,
    attributes,
    batches,
    best_possible,
    fresh_instance,
    fresh_process,
    large_numbers,
    no_oracle,
    other_rules,
    proofs,
    same_twice,
    threads,
)
from golf_cli.conformance.report import Breach
from golf_cli.conformance.subject import Case, NoEnd, RulesRefused
from golf_cli.conformance.trial import Look, Promise, Trial, each
from golf_cli.errors import PluginError
from golf_cli.rules import RuleSet

OTHER_LAYOUTS: Final = (
    "classic,jokers=2",
    "classic,foundation=open",
    "easy,jokers=1,foundation=open",
    "strict,jokers=2",
)


def other_layouts(trial: Trial) -> Look:
    """Jokers and an open foundation: it plays them as it plays other rules, or refuses them by a SolverError."""
    subject = trial.subject
    seed = trial.cases[0].seed
    count = min(len(trial.cases[0].deals), FEW)
    for rules in map(RuleSet.parse, OTHER_LAYOUTS):
        try:
            case = Case.of(subject, rules, seed, count)
            for look in (best_possible, legal_lines, lines_and_outcomes):
                came = look(case)
                if isinstance(came, Breach):
                    return came
        except RulesRefused:
            continue
        except NoEnd as no_end:
            return no_end.breach
        except PluginError as error:
            return Breach(rules, seed, 0, "outcomes, or a SolverError that says why not", str(error))
    return None


ENDS: Final = Promise("ends", "every outcome is one that a game can end in", lambda trial: None)  # noqa: ARG005
"""Looked at whenever anything is played: the cases of a trial are those whose outcomes are such."""

PROMISES: Final = (
    Promise("attributes", "what it says of itself is sound, and the same when it is made again", attributes),
    ENDS,
    Promise("arrays", "the arrays it is given stay as they are", each(arrays)),
    Promise("same twice", "a deal ends the same when it is played or prepared again", each(same_twice)),
    Promise("made again", "a deal ends the same when the solver is made again", each(fresh_instance), ("same twice",)),
    Promise(
        "new process",
        "a deal ends the same in a new process, where hashes are others",
        fresh_process,
        ("same twice", "made again"),
    ),
    Promise(
        "batches",
        "a deal ends the same in whatever batch and after whatever deals",
        each(batches),
        ("same twice", "made again"),
    ),
    Promise(
        "other rules", "a deal ends the same once other rules or seeds were played", each(other_rules), ("same twice",)
    ),
    Promise(
        "threads", "a deal ends the same when several threads play at once", each(threads), ("same twice", "batches")
    ),
    Promise(
        "large numbers",
        "numbers and seeds go up to 2^64 - 1",
        each(large_numbers),
        ("same twice", "batches", "other rules"),
    ),
    Promise("best possible", "no outcome is better than the best there is", each(best_possible)),
    Promise("proofs", "what it calls not clearable is, and no fewer cards can be left", each(proofs)),
    Promise("legal actions", "its lines hold actions that the rules allow", each(legal_lines)),
    Promise(
        "lines",
        "its lines end the game as its outcomes say",
        each(lines_and_outcomes),
        ("same twice", "batches", "legal actions"),
    ),
    Promise(
        "no peeking",
        "no action depends on a stock card not yet drawn",
        each(no_peeking),
        ("same twice", "batches", "legal actions"),
    ),
    Promise("no oracle", "it does not know the stock by the deal's number", no_oracle, ("same twice", "batches")),
    Promise(
        "other layouts",
        "jokers and an open foundation are played, or refused in words",
        other_layouts,
        ("same twice", "best possible", "legal actions", "lines"),
    ),
)
"""Every promise; what one needs comes before it."""
