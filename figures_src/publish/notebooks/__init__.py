"""Notebooks as pages: how they are run, shown and checked."""
