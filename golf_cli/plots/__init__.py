"""Figures of statistics."""
