"""The documents show what their commands really print, and their examples run."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

DEAR = {"advice.md", "analysis.md", "cluster.md", "datasets.md", "faults.md"}
"""Documents whose commands take long, and do what quick tests do as well."""


@pytest.mark.parametrize(
    "document",
    [pytest.param(path, marks=[pytest.mark.slow] if path.name in DEAR else []) for path in DOCUMENTS],
    ids=lambda path: path.name,
)
def test_a_document_shows_the_real_output_of_its_commands(document: Path) -> None:
    checked = subprocess.run(
        [sys.executable, ROOT / "scripts" / "docs.py", document], capture_output=True, text=True, check=False
    )
    assert (checked.stdout, checked.returncode) == ("", 0), checked.stdout + checked.stderr


def test_the_readmes_python_example_runs(tmp_path: Path) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    shown = subprocess.check_output([sys.executable, "-c", example], cwd=tmp_path, text=True)
    assert shown.splitlines()[0] == "-1"


def test_every_link_between_documents_leads_somewhere() -> None:
    for document in DOCUMENTS:
        prose = re.sub(r"```.*?```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)
        for target in re.findall(r"\]\((?!https?://)([^)#]+)[^)]*\)", prose):
            assert (document.parent / target).exists(), f"{document.name} links to {target}"
