"""The project's shuffle once more, written from its description in plain Python, to hold the compiled one against."""

from collections.abc import Iterator, Sequence

WORD = 2**64


def splitmix64(key: int) -> Iterator[int]:
    """The SplitMix64 stream of a key: a counter that steps by the golden ratio, each value scrambled."""
    counter = key
    while True:
        counter = (counter + 0x9E3779B97F4A7C15) % WORD
        yield scrambled(counter)


def scrambled(value: int) -> int:
    value = (value ^ value // 2**30) * 0xBF58476D1CE4E5B9 % WORD
    value = (value ^ value // 2**27) * 0x94D049BB133111EB % WORD
    return value ^ value // 2**31


def below(limit: int, word: int) -> int:
    """A number from 0 to limit - 1 out of the upper half of a 64-bit word."""
    return word // 2**32 * limit // 2**32


def shuffled(key: int, start: list[int]) -> list[int]:
    return shuffled_by(splitmix64(key), start)


def shuffled_by(stream: Iterator[int], start: Sequence[int]) -> list[int]:
    """The start in the order that the next numbers of a stream give it."""
    deck = list(start)
    for last in reversed(range(1, len(deck))):
        other = below(last + 1, next(stream))
        deck[last], deck[other] = deck[other], deck[last]
    return deck


def written(deck: list[int]) -> str:
    """Cards as text: rank, then suit."""
    return " ".join("A23456789TJQK"[card // 4] + "CDHS"[card % 4] for card in deck)
