"""Figures as files."""

from io import BytesIO
from pathlib import Path
from typing import Any, Final

from matplotlib.figure import Figure
from matplotlib.style import context

from golf_cli.errors import GolfError
from golf_cli.plots.style import STYLE

_UNDATED: Final[dict[str, dict[str, Any]]] = {"png": {}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}
"""The kinds of picture, each with what leaves the date out of it, so that one figure has one text of bytes."""


class PictureError(GolfError):
    """A picture of a kind that is not drawn, or one that cannot be written."""


def kind_of(path: str | Path) -> str:
    """The kind of picture a path's suffix asks for: `png`, `svg` or `pdf`.

    Raises:
        PictureError: another suffix or none.
    """
    kind = Path(path).suffix.lower().removeprefix(".")
    if kind not in _UNDATED:
        raise PictureError(f"'{path}' does not say which kind of picture: end it in .png, .svg or .pdf")
    return kind


def draw(figure: Figure, kind: str) -> bytes:
    """A figure as the bytes of a `png` (150 dots an inch), `svg` or `pdf`: the same bytes every time.

    Raises:
        PictureError: another kind.
    """
    if kind not in _UNDATED:
        raise PictureError(f"'{kind}' is no kind of picture: there are png, svg and pdf")
    buffer = BytesIO()
    with context(STYLE):
        figure.savefig(buffer, format=kind, dpi=150, metadata=_UNDATED[kind])
    return buffer.getvalue()


def save(figure: Figure, path: str | Path) -> None:
    """Write a figure to a file, as PNG, SVG or PDF by the path's suffix.

    Raises:
        PictureError: another suffix, or the file cannot be written.
    """
    picture = draw(figure, kind_of(path))
    try:
        Path(path).write_bytes(picture)
    except OSError as error:
        raise PictureError(f"{path}: cannot be written ({error.strerror}): give another path") from None
