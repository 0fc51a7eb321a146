"""How a solver is found: by the name of a built-in one, of an entry point, or as `module:object`."""

import inspect
import sys
import traceback
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Final, Protocol, cast, runtime_checkable

from golf_cli.deals.numbers import parse_number
from golf_cli.errors import NumberError, PluginError, SolverError
from golf_cli.solvers.protocol import Solver

GROUP: Final = "golf.solvers"
"""The entry point group under which a package offers solvers."""

BUILT_IN: Final[Mapping[str, str]] = {
    "exact": "golf_cli.solvers.exact:Exact",
    "random": "golf_cli.solvers.policies:Random",
    "leftmost": "golf_cli.solvers.policies:Leftmost",
    "longest-column": "golf_cli.solvers.policies:LongestColumn",
    "longest-run": "golf_cli.solvers.policies:LongestRun",
    "keep-options": "golf_cli.solvers.policies:KeepOptions",
    "lookahead": "golf_cli.solvers.policies:Lookahead",
    "expert": "golf_cli.solvers.expert:Expert",
    "difficulty": "golf_cli.solvers.difficulty:Difficulty",
    "par": "golf_cli.solvers.par:Par",
}
"""The solvers golf brings, by name."""

MOST_TOLD: Final = 500
"""Characters of what a solver from outside golf raised that are told."""

_PACKAGE: Final = str(Path(__file__).parents[1])
_STANDARD_LIBRARY: Final = str(Path(inspect.__file__).parent)

_ATTRIBUTES: Final = ("version", "summary", "thoughtful", "compiled", "batch", "prepare")


@dataclass(frozen=True)
class Named:
    """A solver and the one text that names it with its options.

    Attributes:
        text: the name, then the options in order of their names: `exact,max-states=1000`.
        solver: the solver, made with these options.
        built_in: whether it is golf's own, and whatever it plays by is, too.
    """

    text: str
    solver: Solver
    built_in: bool

    @property
    def options(self) -> dict[str, str]:
        """The options in the text."""
        return dict(setting.partition("=")[::2] for setting in self.text.split(",")[1:])


@runtime_checkable
class PlaysBy(Protocol):
    """A solver of golf's own that plays by another one, to which it hands the options that it does not take itself.

    Attributes:
        policy: the other one.
    """

    policy: Named


def names() -> list[str]:
    """The names of all solvers that can be found by name: the built-in ones, then those of installed packages."""
    return [*BUILT_IN, *sorted({point.name for point in entry_points(group=GROUP)} - set(BUILT_IN))]


def find(text: str) -> Named:
    """Find a solver and make it with its options: `leftmost`, `exact,max-states=1e6`, `my_module:MyPlayer`.

    Whatever `module:object` names is called with the options as keyword arguments, dashes turned into underscores
    and every value a string; whole numbers are rewritten in plain digits first.

    Raises:
        SolverError: no solver has this name, or it does not take these options.
        PluginError: a solver from outside golf could not be loaded or made.
    """
    name, *settings = [part.strip() for part in text.split(",")]
    options: dict[str, str] = {}
    for key, value in sorted(_option(setting, text) for setting in settings):
        if key in options:
            raise SolverError(f"'{text}' gives the option {key} twice: give it once")
        options[key] = value
    built_in = name in BUILT_IN
    solver, told = _made(name, options) if built_in else _plugin(name, options)
    if built_in and isinstance(solver, PlaysBy):
        told = {key: value for key, value in told.items() if key in _parameters(type(solver))} | solver.policy.options
        built_in = solver.policy.built_in
    return Named(",".join([name, *(f"{key}={value}" for key, value in sorted(told.items()))]), solver, built_in)


def _option(setting: str, text: str) -> tuple[str, str]:
    key, equals, value = (part.strip() for part in setting.partition("="))
    if not (key and equals and value):
        raise SolverError(f"'{setting}' in '{text}' is no option: write name=value, such as exact,max-states=1000000")
    with suppress(NumberError):  # a value that is no number is the solver's to read
        value = str(parse_number(value))
    return key.replace("_", "-"), value


def _made(name: str, options: Mapping[str, str]) -> tuple[Solver, dict[str, str]]:
    """A built-in solver made with its options, and those of them that differ from what it has without them."""
    factory = _attribute(BUILT_IN[name])
    told = _told(name, factory, options)
    return cast("Solver", factory(**_keywords(options))), told


def _plugin(name: str, options: Mapping[str, str]) -> tuple[Solver, dict[str, str]]:
    """As `_made`, for a solver from outside golf: said to be at fault where it cannot be loaded or made."""
    loading = f"the solver {name} could not be loaded"
    # What a solver prints is not what golf prints.
    with redirect_stdout(sys.stderr), blaming(loading):
        factory = _plugin_factory(name)
    told = _told(name, factory, options)
    with redirect_stdout(sys.stderr), blaming(loading):
        solver = factory(**_keywords(options))
        _refuse_unsound(solver)
    return cast("Solver", solver), told


def _keywords(options: Mapping[str, str]) -> dict[str, str]:
    return {key.replace("-", "_"): value for key, value in options.items()}


def _told(name: str, factory: Callable[..., object], options: Mapping[str, str]) -> dict[str, str]:
    """The options that differ from what the solver has without them.

    Raises:
        SolverError: the solver does not take one of them.
    """
    taken = _parameters(factory)
    for key in options:
        if key not in taken and not _takes_any(factory):
            offer = f"it takes {', '.join(taken)}" if taken else "it takes none"
            raise SolverError(f"the solver {name} takes no option '{key}': {offer}")
    return {key: value for key, value in options.items() if key not in taken or value != str(taken[key])}


def _parameters(factory: Callable[..., object]) -> dict[str, object]:
    """The options a factory takes by name, with what they are when not given."""
    return {
        parameter.name.replace("_", "-"): parameter.default
        for parameter in _signature(factory)
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
    }


def _takes_any(factory: Callable[..., object]) -> bool:
    """Whether a factory takes options that it does not name."""
    return any(parameter.kind is parameter.VAR_KEYWORD for parameter in _signature(factory))


def _signature(factory: Callable[..., object]) -> Collection[inspect.Parameter]:
    # A class without an __init__ of its own shows that of Protocol, which takes anything only in appearance.
    if inspect.isclass(factory) and factory.__init__ in (object.__init__, Solver.__init__):
        return ()
    return inspect.signature(factory).parameters.values()


def _attribute(target: str) -> Callable[..., object]:
    module, _, attribute = target.partition(":")
    found: Any = import_module(module)
    for part in attribute.split("."):
        found = getattr(found, part)
    return cast("Callable[..., object]", found)


def _refuse_unsound(solver: object) -> None:
    """Raise a PluginError that says what a solver lacks."""
    missing = [attribute for attribute in _ATTRIBUTES if not hasattr(solver, attribute)]
    if missing:
        raise PluginError(
            f"it is a {type(solver).__name__} without {', '.join(missing)}: "
            "derive it from golf_cli.solvers.protocol.Solver"
        )
    made = cast("Solver", solver)
    for name in ("version", "summary"):
        text = getattr(made, name)
        if not (isinstance(text, str) and text.isprintable() and text):
            raise PluginError(f"its {name} is {text!r}: give one line of text")
    if type(made.batch) is not int or made.batch < 1:
        raise PluginError(f"its batch is {made.batch!r}: give a whole number of deals from 1 on")


def _plugin_factory(name: str) -> Callable[..., object]:
    if ":" in name:
        # A console script's path holds no current directory, and that is where a solver under work lies.
        here = str(Path.cwd())
        if here not in sys.path:
            sys.path.insert(0, here)
        return _attribute(name)
    for point in entry_points(group=GROUP, name=name):
        return cast("Callable[..., object]", point.load())
    raise SolverError(
        f"no solver is called '{name}': there are {', '.join(names())}; a solver of your own is written module:object"
    )


@contextmanager
def blaming(what: str, passing: tuple[type[BaseException], ...] = (KeyboardInterrupt, SolverError)) -> Iterator[None]:
    """Turn whatever a solver from outside golf raises within the block into a PluginError that says what failed.

    Args:
        what: what failed.
        passing: what passes: interrupts, and a SolverError, which tells the user of options that it does not take.
    """
    try:
        yield
    except PluginError as error:
        raise PluginError(f"{what}: {error}") from error
    except passing:
        raise
    except BaseException as error:  # a solver that exits, too, must not end golf as if all were well
        raise PluginError(f"{what}: {_describe(error)}") from error


def _describe(error: BaseException) -> str:
    """An exception in one line: its type, its text, and the file and line of a plug-in that it came from."""
    frames = traceback.extract_tb(error.__traceback__)
    outside = [frame for frame in frames if _is_outside(frame.filename)]
    where = f" ({outside[-1].filename}, line {outside[-1].lineno})" if outside else ""
    told = " ".join(traceback.format_exception_only(error)[-1].split())
    return (told if len(told) <= MOST_TOLD else f"{told[:MOST_TOLD]}...") + where


def _is_outside(filename: str) -> bool:
    """Whether a file is neither golf's own nor Python's."""
    pythons = filename.startswith((_STANDARD_LIBRARY, "<frozen")) and "site-packages" not in filename
    return not pythons and not filename.startswith(_PACKAGE)
