"""What the core takes as numbers: float32 and float64 are kept, lists and integers become float64."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array: TypeAlias = NDArray[np.floating]
Mask: TypeAlias = NDArray[np.bool_]


def as_array(request: str, value: object) -> NDArray[Any]:
    """Return `value` as a plain array of whatever dtype it has.

    Raises TypeError for a masked array, also inside a list: reading it as a plain one would drop
    its mask, and what it hides would take part. Raises TypeError or ValueError, with the words of
    whoever refused, for what cannot be read as an array: rows of different lengths, a tensor of
    torch that records gradients or whose type NumPy lacks.
    """
    if _is_masked(value):
        raise TypeError(
            f"{request}: got a masked array, whose mask would be dropped; takes a plain array, and "
            "what is hidden as a boolean mask beside it (True = keep), as in `hide` and `attention`"
        )
    try:
        return np.asarray(value)
    except (TypeError, ValueError, RuntimeError) as error:
        kind = ValueError if isinstance(error, ValueError) else TypeError
        raise kind(f"{request}: cannot be read as an array: {error}") from error


def _is_masked(value: object) -> bool:
    if isinstance(value, list | tuple):
        return any(_is_masked(part) for part in value)
    return isinstance(value, np.ma.MaskedArray)


def as_booleans(request: str, value: object, what: str) -> Mask:
    """Return `value` as an array of booleans; TypeError, saying `what` True means, for others."""
    array = as_array(request, value)
    if array.dtype != np.bool_:
        raise TypeError(f"{request}: got {array.dtype}, takes booleans ({what})")
    return array


def as_floats(request: str, value: ArrayLike) -> Array:
    """Return `value` as an array that keeps float32 and float64 and turns integers into float64.

    `request` names the caller and its argument, for the error.
    Raises TypeError for every other dtype (bool, float16, complex, objects), and as `as_array` does.
    """
    array = as_array(request, value)
    if array.dtype in (np.float32, np.float64):
        return array
    if np.issubdtype(array.dtype, np.integer):
        return array.astype(np.float64)
    raise TypeError(
        f"{request}: got {array.dtype} of shape {array.shape}, takes float32 or float64"
    )


def as_rows(request: str, value: ArrayLike, width: int | None = None) -> Array:
    """Return `value` as floats of shape (…, rows, width).

    Raises ValueError for fewer than two axes, or a last axis that differs from `width`.
    """
    array = as_floats(request, value)
    if array.ndim < 2:
        raise ValueError(f"{request}: got shape {array.shape}, takes (…, rows, channels)")
    if width is not None and array.shape[-1] != width:
        raise ValueError(f"{request}: got shape {array.shape}, takes (…, rows, {width})")
    return array


def same_dtype(request: str, **arrays: Array) -> None:
    """Raise TypeError unless all arrays share one dtype: mixed widths would be promoted unseen."""
    if len({array.dtype for array in arrays.values()}) > 1:
        seen = ", ".join(f"{name} {array.dtype}" for name, array in arrays.items())
        raise TypeError(f"{request}: got {seen}; takes one dtype for all")


def spread_in_front(request: str, **arrays: Array) -> None:
    """Raise ValueError unless the axes before the last two are the same, or 1, in all arrays."""
    try:
        np.broadcast_shapes(*(array.shape[:-2] for array in arrays.values()))
    except ValueError:
        seen = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
        raise ValueError(f"{request}: got {seen}; takes the same axes in front, or 1") from None
