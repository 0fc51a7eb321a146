"""What came of a check, as values, as a table for people and as JSON."""

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from golf_cli.rules import RuleSet
from golf_cli.stats.table import beside, left

_INDENT: Final = "  "


class Verdict(StrEnum):
    """What is known of a promise. That it was kept in all that was tried proves nothing about the rest."""

    KEPT = "kept"
    BROKEN = "broken"
    NOT_SHOWN = "not shown"


@dataclass(frozen=True)
class Breach:
    """Where a promise was broken first.

    Attributes:
        rules: the rules played by; None where no deal was played.
        seed: the seed the solver was prepared with.
        number: the deal's number; None where no deal was played.
        expected: what the promise asks for.
        came: what came instead.
    """

    rules: RuleSet | None
    seed: int
    number: int | None
    expected: str
    came: str

    @property
    def place(self) -> str:
        """The deal, the rules and the seed: `deal 3, rules classic, seed 0`."""
        return "before any deal" if self.number is None else f"deal {self.number}, rules {self.rules}, seed {self.seed}"


@dataclass(frozen=True)
class Finding:
    """What came of one promise.

    Attributes:
        promise: its name.
        says: what is promised, in one line.
        verdict: what is known of it now.
        reason: why it was not shown; empty otherwise.
        breach: where it was broken; None where it was not.
    """

    promise: str
    says: str
    verdict: Verdict
    reason: str = ""
    breach: Breach | None = None


@dataclass(frozen=True)
class Report:
    """What came of a check.

    Attributes:
        solver: the solver's canonical text, name and options.
        version: its version.
        thoughtful: whether it says that it looks at the stock.
        seed: the seed it was prepared with.
        rules: the rules played by.
        refused: the rules it said it does not play, each with its words.
        deals: deals played under each of the rules, from number 0 of `go1` on.
        findings: one for each promise.
    """

    solver: str
    version: str
    thoughtful: bool
    seed: int
    rules: tuple[RuleSet, ...]
    refused: tuple[tuple[RuleSet, str], ...]
    deals: int
    findings: tuple[Finding, ...]

    @property
    def broken(self) -> tuple[Finding, ...]:
        """The promises that were broken."""
        return tuple(finding for finding in self.findings if finding.verdict is Verdict.BROKEN)

    def __str__(self) -> str:
        kind = "thoughtful" if self.thoughtful else "visible"
        rules = "; ".join(map(str, self.rules))
        lines = [
            f"{self.solver}, version {self.version}, {kind}",
            f"deals 0..{self.deals - 1} of go1, rules {rules}, seed {self.seed}",
            *(f"not played: {rules} ({words})" for rules, words in self.refused),
            "",
            *beside(
                [
                    left("promise", [finding.promise for finding in self.findings]),
                    left("verdict", [str(finding.verdict) for finding in self.findings]),
                    left("what is promised", [finding.says for finding in self.findings]),
                ]
            ),
            *(line for finding in self.findings for line in _details(finding)),
            "",
            self._verdict,
        ]
        return "\n".join(line.rstrip() for line in lines)

    @property
    def _verdict(self) -> str:
        if self.broken:
            return f"{len(self.broken)} of {len(self.findings)} promises broken"
        shown = sum(finding.verdict is Verdict.KEPT for finding in self.findings)
        return f"nothing is broken; {shown} of {len(self.findings)} promises shown to be kept on these deals"


def _details(finding: Finding) -> list[str]:
    if finding.breach:
        return [
            "",
            f"{finding.promise}: broken at {finding.breach.place}",
            f"{_INDENT}expected  {finding.breach.expected}",
            f"{_INDENT}came      {finding.breach.came}",
        ]
    return ["", f"{finding.promise}: not shown", f"{_INDENT}{finding.reason}"] if finding.reason else []


def written(report: Report, form: str = "table") -> str:
    """A report in one of the forms `table` and `json`, ended by a newline.

    Raises:
        ValueError: there is no such form.
    """
    if form == "json":
        return json.dumps(_record(report), indent=2) + "\n"
    if form == "table":
        return f"{report}\n"
    raise ValueError(f"no form is called {form!r}: there are table and json")


def _record(report: Report) -> dict[str, Any]:
    return {
        "solver": report.solver,
        "version": report.version,
        "thoughtful": report.thoughtful,
        "numbering": "go1",
        "deals": report.deals,
        "rules": [str(rules) for rules in report.rules],
        "refused": [{"rules": str(rules), "reason": words} for rules, words in report.refused],
        "seed": report.seed,
        "broken": len(report.broken),
        "promises": [
            {
                "promise": finding.promise,
                "says": finding.says,
                "verdict": str(finding.verdict),
                "reason": finding.reason or None,
                "breach": _breach_record(finding.breach) if finding.breach else None,
            }
            for finding in report.findings
        ],
    }


def _breach_record(breach: Breach) -> dict[str, Any]:
    return {
        "deal": breach.number,
        "rules": None if breach.rules is None else str(breach.rules),
        "seed": breach.seed,
        "expected": breach.expected,
        "came": breach.came,
    }
