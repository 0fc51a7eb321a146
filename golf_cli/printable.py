"""Words of others, as golf repeats them: what would steer a terminal, or hide, is shown as its escape."""


def printable(text: str) -> str:
    """The text with `\\x1b`, `\\u202e` or the like for what cannot be seen, but for blanks and lines' ends.

    Letters of any script stay as they are.
    """
    return text if text.isprintable() else "".join(map(_shown, text))


def in_one_line(text: str) -> str:
    """The same of a text that is to stand in a line: its own lines' ends are shown as `\\n`."""
    return printable(text).replace("\n", r"\n")


def _shown(character: str) -> str:
    if character.isprintable() or character == "\n":
        return character
    return character.encode("unicode_escape").decode("ascii")
