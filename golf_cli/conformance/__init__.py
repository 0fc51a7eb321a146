"""Whether a solver keeps what the protocol promises: tried on deals, promise by promise."""
