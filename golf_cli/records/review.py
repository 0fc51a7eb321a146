"""What the actions of a game were worth: the judge of a replay that is a review."""

from dataclasses import dataclass
from fractions import Fraction

from golf_cli.game import Action, Game, Step
from golf_cli.solvers.choices import SAMPLES, Choice, best_choice, choices


@dataclass(frozen=True)
class Values:
    """The actions of a position with what best play makes of each, and the one with the fewest strokes."""

    among: tuple[Choice, ...]
    fewest: Choice

    @property
    def best(self) -> Step:
        """The action with the fewest strokes; of several the one that a hint would take."""
        return self.fewest.step

    def lost(self, action: Action) -> Fraction:
        """Strokes lost by a legal action against the best: exact, or with unseen cards the mean over their orders."""
        taken = next(choice for choice in self.among if choice.step.action == action)
        return Fraction(taken.strokes - self.fewest.strokes, taken.orders)


@dataclass(frozen=True)
class Review:
    """Judges positions by the exact strokes of best play, over sampled orders of the stock cards still unseen.

    Attributes:
        samples: as for `choices`.
        seed: as for `choices`.
    """

    samples: int = SAMPLES
    seed: int = 0

    def __call__(self, game: Game) -> Values:
        """The values of the actions of a game that is not over.

        Raises:
            DealError: as `choices` does.
            NumberError: as `choices` does.
        """
        among = choices(game, self.samples, self.seed)
        fewest = min(choice.strokes for choice in among)
        return Values(among, best_choice(game, (choice for choice in among if choice.strokes == fewest)))
