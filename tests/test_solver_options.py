"""Options of solvers: one text for one solver, however it was written."""

import pytest
from faulty_plugins import NeedsAnOption, WithAnyOptions, WithOptions

from golf_cli.errors import PluginError, SolverError
from golf_cli.rules import PRESETS
from golf_cli.solvers import registry
from golf_cli.sweep.plan import Task


def told(text: str) -> dict[str, str]:
    """The options that reach a solver which keeps them."""
    solver = registry.find(text).solver
    assert isinstance(solver, WithOptions | WithAnyOptions | NeedsAnOption)
    return solver.told


@pytest.mark.parametrize(
    "written",
    [
        "depth=5,beam-width=3",
        "beam-width=3,depth=5",
        "beam_width=3,depth=5",
        " depth = 5 , beam_width = 3 ",
        "beam-width=3,depth=5e0",
        "beam-width=0_3,depth=5",
    ],
)
def test_options_stand_in_the_order_of_their_names_however_they_were_written(written: str) -> None:
    text = f"faulty_plugins:WithOptions,{written}"
    assert registry.find(text).text == "faulty_plugins:WithOptions,beam-width=3,depth=5"
    assert told(text) == {"beam_width": "3", "depth": "5"}


def test_an_option_that_says_what_would_hold_anyhow_is_left_out() -> None:
    for written in ("", ",depth=2", ",beam-width=8", ",depth=2,beam_width=8"):
        text = f"faulty_plugins:WithOptions{written}"
        assert registry.find(text).text == "faulty_plugins:WithOptions"
        assert told(text) == {"beam_width": "8", "depth": "2"}
    assert registry.find("faulty_plugins:WithOptions,depth=2,beam-width=9").text.endswith("WithOptions,beam-width=9")
    assert registry.find("exact,max-states=0").text == "exact"
    strong_ids = {Task.of("go1", PRESETS["classic"], solver).strong_id for solver in ("exact", "exact,max_states=0")}
    assert len(strong_ids) == 1


@pytest.mark.parametrize(
    ("text", "option"),
    [
        ("exact,max-states=5,max-states=5", "max-states"),
        ("exact,max-states=5,max_states=6", "max-states"),
        ("faulty_plugins:WithOptions,depth=1,beam-width=2,depth=3", "depth"),
        ("faulty_plugins:WithAnyOptions,a_b=1,a-b=1", "a-b"),
    ],
)
def test_an_option_given_twice_is_refused(text: str, option: str) -> None:
    with pytest.raises(SolverError, match=f"gives the option {option} twice: give it once") as refusal:
        registry.find(text)
    assert type(refusal.value) is SolverError


def test_a_solver_that_takes_any_option_gets_every_one() -> None:
    text = "faulty_plugins:WithAnyOptions,zeta=1e3,alpha-beta=x"
    assert registry.find(text).text == "faulty_plugins:WithAnyOptions,alpha-beta=x,zeta=1000"
    assert told(text) == {"alpha_beta": "x", "zeta": "1000"}
    assert told("faulty_plugins:WithAnyOptions") == {}


def test_a_solver_is_told_which_options_there_are() -> None:
    with pytest.raises(SolverError, match="takes no option 'width': it takes beam-width, depth"):
        registry.find("faulty_plugins:WithOptions,width=3")
    with pytest.raises(SolverError, match="it takes none"):
        registry.find("plugins:Rightmost,width=3")


def test_an_option_a_solver_cannot_do_without_is_asked_for() -> None:
    with pytest.raises(PluginError, match="missing 1 required positional argument: 'table'"):
        registry.find("faulty_plugins:NeedsAnOption")
    assert told("faulty_plugins:NeedsAnOption,table=a.csv") == {"table": "a.csv"}
