"""Sweeps: what is played (the plan), who plays it (the runner), and where the outcomes lie (the store)."""
