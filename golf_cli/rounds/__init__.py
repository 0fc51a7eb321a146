"""Rounds and matches: scorecards against par, and players over the same holes."""
