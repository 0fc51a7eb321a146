"""How a solver is found: by the name of a built-in one, of an entry point, or as `module:object`."""

import inspect
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Final, cast

from golf_cli.deals.numbers import parse_number
from golf_cli.errors import GolfError, NumberError, PluginError, SolverError
from golf_cli.solvers.protocol import Solver

GROUP: Final = "golf.solvers"
"""The entry point group under which a package offers solvers."""

BUILT_IN: Final[Mapping[str, str]] = {
    "exact": "golf_cli.solvers.exact:Exact",
    "random": "golf_cli.solvers.policies:Random",
    "leftmost": "golf_cli.solvers.policies:Leftmost",
    "longest-column": "golf_cli.solvers.policies:LongestColumn",
    "longest-run": "golf_cli.solvers.policies:LongestRun",
}
"""The solvers golf brings, by name."""

_PACKAGE: Final = str(Path(__file__).parents[1])

_ATTRIBUTES: Final = ("version", "summary", "thoughtful", "compiled", "batch", "prepare")


@dataclass(frozen=True)
class Named:
    """A solver and the one text that names it with its options.

    Attributes:
        text: the name, then the options in order of their names: `exact,max-states=1000`.
        solver: the solver, made with these options.
        built_in: whether it is golf's own.
    """

    text: str
    solver: Solver
    built_in: bool


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
    options = dict(sorted(_option(setting, text) for setting in settings))
    canonical = ",".join([name, *(f"{key}={value}" for key, value in options.items())])
    keywords = {key.replace("-", "_"): value for key, value in options.items()}
    if name in BUILT_IN:
        factory = _attribute(BUILT_IN[name])
        _check_options(name, factory, keywords)
        return Named(canonical, cast("Solver", factory(**keywords)), built_in=True)
    return Named(canonical, _plugin(name, keywords), built_in=False)


def _option(setting: str, text: str) -> tuple[str, str]:
    key, equals, value = setting.partition("=")
    if not (key and equals and value):
        raise SolverError(f"'{setting}' in '{text}' is no option: write name=value, such as exact,max-states=1000000")
    try:
        return key, str(parse_number(value))
    except NumberError:
        return key, value


def _check_options(name: str, factory: Callable[..., object], keywords: Mapping[str, str]) -> None:
    taken = [key.replace("_", "-") for key in inspect.signature(factory).parameters]
    for key in (keyword.replace("_", "-") for keyword in keywords):
        if key not in taken:
            offer = f"it takes {', '.join(taken)}" if taken else "it takes none"
            raise SolverError(f"the solver {name} takes no option '{key}': {offer}")


def _attribute(target: str) -> Callable[..., object]:
    module, _, attribute = target.partition(":")
    found: Any = import_module(module)
    for part in attribute.split("."):
        found = getattr(found, part)
    return cast("Callable[..., object]", found)


def _plugin(name: str, keywords: Mapping[str, str]) -> Solver:
    """Load and make a solver from outside golf, and say whose fault it is where that fails."""
    try:
        factory = _plugin_factory(name)
        if inspect.isclass(factory) or inspect.isfunction(factory):
            _check_options(name, factory, keywords)
        solver = factory(**keywords)
    except GolfError:
        raise
    except Exception as error:
        raise PluginError(f"the solver {name} could not be loaded: {describe(error)}") from error
    missing = [attribute for attribute in _ATTRIBUTES if not hasattr(solver, attribute)]
    if missing:
        raise PluginError(
            f"the solver {name} is a {type(solver).__name__} without {', '.join(missing)}: "
            "derive it from golf_cli.solvers.protocol.Solver"
        )
    return cast("Solver", solver)


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


def describe(error: BaseException) -> str:
    """An exception in one line: its type, its text, and the file and line of a plug-in that it came from."""
    frames = traceback.extract_tb(error.__traceback__)
    outside = [frame for frame in frames if not frame.filename.startswith((_PACKAGE, "<frozen"))]
    where = f" ({outside[-1].filename}, line {outside[-1].lineno})" if outside else ""
    return f"{type(error).__name__}: {error}{where}"
