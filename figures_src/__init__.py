"""Draws every figure of the site from what the core computed, and writes it to `build/`."""
