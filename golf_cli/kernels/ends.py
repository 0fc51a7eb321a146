"""How games of a batch have ended, as every kernel tells it that plays them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Ends(NamedTuple):
    """The ends of n games: cards left in the columns (0: cleared) and cards left in the stock, both uint8[n]."""

    cards_left: NDArray[np.uint8]
    stock_left: NDArray[np.uint8]
