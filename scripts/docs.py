"""Run the commands that the documents show, and compare or rewrite the output under them.

A block that starts with ```console holds commands, each on a line after `$ ` (and further lines after `> `), and under
each what it prints on standard output and standard error. The commands of one document run in order in one directory,
which at first holds nothing but the files the document shows: a block of code whose first line is a comment
`# file: NAME`.

    python scripts/docs.py            compare; exit 1 and show the differences if there are any
    python scripts/docs.py --write    put the real output into the documents
"""

import argparse
import difflib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^```\w+\n(# file: (\S+)\n.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (.*(?:\n> .*)*)$", re.MULTILINE)
COMPILING = re.compile(r"^Compiling golf's kernels.*\n", re.MULTILINE)


def documents() -> list[Path]:
    """The documents whose commands are run."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def run(text: str) -> str:
    """The document with the real output under every command."""
    with tempfile.TemporaryDirectory() as directory:
        for content, name in FILE.findall(text):
            (Path(directory) / name).write_text(content, encoding="utf-8")
        return BLOCK.sub(lambda block: f"```console\n{_run_block(block[1], directory)}```", text)


def _run_block(block: str, directory: str) -> str:
    return "".join(f"$ {command}\n{_output(command, directory)}" for command in COMMAND.findall(block))


def _output(command: str, directory: str) -> str:
    scripts = Path(sys.executable).parent
    finished = subprocess.run(
        ["bash", "-c", command.replace("\n> ", "\n")],
        cwd=directory,
        env={**os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "100"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return COMPILING.sub("", finished.stdout)


def difference(path: Path) -> str:
    """What the document shows against what its commands print; empty where they agree."""
    shown = path.read_text(encoding="utf-8")
    before, after = shown.splitlines(keepends=True), run(shown).splitlines(keepends=True)
    return "".join(difflib.unified_diff(before, after, f"{path.name} shows", "the commands print"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--write", action="store_true", help="rewrite the output in the documents")
    parser.add_argument("documents", nargs="*", type=Path, default=documents(), help="default: README.md and docs/*.md")
    arguments = parser.parse_args()
    differences = ""
    for path in arguments.documents:
        if arguments.write:
            path.write_text(run(path.read_text(encoding="utf-8")), encoding="utf-8")
        else:
            differences += difference(path)
    sys.stdout.write(differences)
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
