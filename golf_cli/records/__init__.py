"""Games as they were played: written down, read back, checked, and reviewed."""
