"""A solver's module that ends the process that imports it."""

raise SystemExit("no licence found")
