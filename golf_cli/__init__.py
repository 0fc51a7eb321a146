"""Batch analysis of Golf solitaire.

Rooms, from the ground up: `cards`, `rules` and `scoring` hold plain values; `deals` turns a reference into cards;
`game` plays one game and `moves` reads what is to be played; `kernels` is the compiled code; `solvers` play deals and
judge positions; `sweep` plays intervals of deal numbers and stores the outcomes; `stats` and `plots` read them;
`conformance` tries whether a solver keeps its promises; `records` reads, writes and replays games; `play` is a game
in a terminal; `commands` is the command line. `interrupts` serves all.
"""

from typing import Final

__version__: Final = "0.1.0"
