"""A solver played in new processes, where texts have other hashes.

Run as a module, with a file that `_ask` wrote, this is such a process. It imports little, so as to start soon.
"""

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, cast

from golf_cli.errors import GolfError, PluginError
from golf_cli.rules import RuleSet
from golf_cli.solvers import registry
from golf_cli.solvers.outcome import Outcome, Outcomes
from golf_cli.solvers.protocol import Deals

Job = tuple[RuleSet, int, Deals]
"""Rules, a seed, and the deals to play."""

Answer = Outcomes | Sequence[Outcome]

HASH_SEEDS: Final = ("1", "2")


def played_elsewhere(text: str, jobs: Sequence[Job]) -> list[list[Answer]]:
    """What a solver answers to each job, in two new processes.

    Raises:
        PluginError: it raised there, if only to refuse, or ended the process.
    """
    with TemporaryDirectory() as directory:
        asked = Path(directory) / "asked"
        asked.write_bytes(pickle.dumps((text, list(jobs))))
        started = [_ask(asked, seed) for seed in HASH_SEEDS]
        try:
            codes = [process.wait() for process in started]
        finally:
            for process in started:
                process.kill()
                process.wait()
        return [_told(_answered(asked, seed), text, code) for seed, code in zip(HASH_SEEDS, codes, strict=True)]


def _ask(asked: Path, hash_seed: str) -> "subprocess.Popen[bytes]":
    paths = os.pathsep.join(path or str(Path.cwd()) for path in sys.path)
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "golf_cli.conformance.elsewhere", asked, _answered(asked, hash_seed)],
        env={**os.environ, "PYTHONPATH": paths, "PYTHONHASHSEED": hash_seed},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )


def _answered(asked: Path, hash_seed: str) -> Path:
    return asked.with_name(f"answered-{hash_seed}")


def _told(answered: Path, text: str, code: int) -> list[Answer]:
    if not answered.exists():
        raise PluginError(f"the solver {text}, played in a new process, ended it with exit code {code}")
    answer = pickle.loads(answered.read_bytes())
    if isinstance(answer, GolfError):
        raise answer if isinstance(answer, PluginError) else PluginError(f"{text}, played in a new process: {answer}")
    return cast("list[Answer]", answer)


def _answer(text: str, jobs: Sequence[Job]) -> list[Answer] | GolfError:
    try:
        named = registry.find(text)
        with nullcontext() if named.built_in else registry.blaming(f"the solver {text} failed in a new process"):
            answers = [named.solver.prepare(rules, seed)(deals) for rules, seed, deals in jobs]
            return [answer if isinstance(answer, Outcomes) else list(answer) for answer in answers]
    except GolfError as error:
        return error


def main() -> None:
    """Play what the file of the first argument asks for, and write the answer to that of the second."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends this process
    sys.stdout = sys.stderr  # what a solver prints is not what golf prints
    asked, answered = map(Path, sys.argv[1:])
    answer = pickle.dumps(_answer(*pickle.loads(asked.read_bytes())))
    answered.write_bytes(answer)


if __name__ == "__main__":
    main()
