"""Deals and rules as hypothesis draws them."""

from itertools import product

from hypothesis import strategies as st

from golf_cli.cards import UNSEEN, deck
from golf_cli.deals.deal import Deal, laid_out
from golf_cli.rules import Draw, Foundation, Jokers, Layout, OnAce, OnKing, RuleSet

RULE_SETS = st.sampled_from([RuleSet(*fields) for fields in product(OnKing, OnAce, Draw, Jokers, Foundation)])

PLAIN = st.just(Layout())

LAYOUTS = st.builds(
    lambda jokers, open_foundation: Layout(jokers=jokers, open_foundation=open_foundation),
    st.integers(0, 2),
    st.booleans(),
)


@st.composite
def deals(draw: st.DrawFn, layouts: st.SearchStrategy[Layout] = LAYOUTS) -> Deal:
    """A whole deal, every card seen."""
    layout = draw(layouts)
    return laid_out(draw(st.permutations(deck(layout.jokers))), layout)


@st.composite
def half_seen_deals(draw: st.DrawFn, layouts: st.SearchStrategy[Layout] = LAYOUTS) -> Deal:
    """A whole deal with any of its stock cards unseen."""
    deal = draw(deals(layouts))
    hidden = draw(st.sets(st.integers(0, len(deal.stock) - 1)))
    stock = tuple(UNSEEN if place in hidden else card for place, card in enumerate(deal.stock))
    return Deal(deal.columns, deal.foundation, stock)
