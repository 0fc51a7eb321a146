"""The players: one protocol, a registry, the exact solver and the policies."""
