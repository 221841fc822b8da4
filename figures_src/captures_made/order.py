"""The rank of one among many."""

from vitattn_core.arrays import Array


def rank_from_top(values: Array, place: int) -> int:
    """Return the rank of one value from 1, largest first."""
    return int((values > values[place]).sum()) + 1
