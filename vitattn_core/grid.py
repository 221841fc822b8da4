"""From pixels to patches to rows of the sequence, and back; nothing here is guessed.

Rows of the sequence count from 0: first CLS if there is one, then the registers, then the
patches row by row. Patches are (row, column) from 0, height first.
Source: Dosovitskiy et al. 2020, section 3.1; registers: Darcet et al. 2023.
"""

import operator
from collections.abc import Iterator
from dataclasses import dataclass

from numpy.typing import ArrayLike

from .arrays import Array, as_floats
from .counts import flag, whole


def patches_along(request: str, pixels: int, patch: int) -> int:
    """Return how many patches of `patch` pixels fill `pixels`; ValueError if some would be left.

    Raises TypeError for sizes that are no whole numbers.
    """
    pixels, patch = (whole(request, size, unit=" of pixels") for size in (pixels, patch))
    if pixels <= 0 or patch <= 0:
        raise ValueError(
            f"{request}: got {pixels} pixels and patch {patch}, takes positive numbers"
        )
    if pixels % patch:
        raise ValueError(
            f"{request}: got {pixels} pixels for patches of {patch}, "
            f"takes a multiple of {patch} ({pixels % patch} pixels would be lost)"
        )
    return pixels // patch


@dataclass(frozen=True)
class Grid:
    """An image of height × width pixels, cut into square patches, as rows of a sequence.

    `height`, `width`, `patch` in pixels; `cls` and `registers` say which rows stand in front.
    Whole numbers of any type are taken and become Python's own, which cannot overflow.
    Raises ValueError where a side is not a multiple of the patch or a number of registers is
    negative, TypeError for counts that are no whole numbers and a `cls` that is not True or False.

    A wide image has more columns than rows, and CLS stands in front: row 5 of the sequence is patch (1, 0).

    >>> grid = Grid(height=32, width=64, patch=16)
    >>> (grid.rows, grid.columns, grid.tokens, grid.token(1, 0))
    (2, 4, 9, 5)
    >>> grid.field([0.5, 0.1, 0.1, 0.1, 0.1, 0.1, 0, 0, 0]).tolist()  # 0.5, on CLS, is in no picture
    [[0.1, 0.1, 0.1, 0.1], [0.1, 0.0, 0.0, 0.0]]
    """

    height: int
    width: int
    patch: int
    cls: bool = True
    registers: int = 0

    def __post_init__(self) -> None:
        patches_along("Grid: height", self.height, self.patch)
        patches_along("Grid: width", self.width, self.patch)
        exact = {name: operator.index(getattr(self, name)) for name in ("height", "width", "patch")}
        exact["registers"] = whole("Grid: registers", self.registers, 0)
        for name, value in (exact | {"cls": flag("Grid: cls", self.cls)}).items():
            object.__setattr__(self, name, value)  # the fields are frozen from here on

    @property
    def rows(self) -> int:
        """Patches from top to bottom."""
        return self.height // self.patch

    @property
    def columns(self) -> int:
        """Patches from left to right."""
        return self.width // self.patch

    @property
    def patches(self) -> int:
        """Patches in all."""
        return self.rows * self.columns

    @property
    def prefix(self) -> int:
        """Rows of the sequence that are not patches: CLS and registers."""
        return int(self.cls) + self.registers

    @property
    def tokens(self) -> int:
        """N: all rows of the sequence."""
        return self.prefix + self.patches

    def token(self, row: int, column: int) -> int:
        """Return the sequence row of patch (row, column); IndexError outside the grid.

        Raises TypeError for what is no whole number, as `place` and `pixels` do.
        """
        row, column = whole("Grid.token: row", row), whole("Grid.token: column", column)
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            raise IndexError(
                f"Grid.token: got patch ({row}, {column}), "
                f"the grid is {self.rows} × {self.columns}, counted from 0"
            )
        return self.prefix + row * self.columns + column

    def place(self, token: int) -> tuple[int, int]:
        """Return (row, column) of a patch's sequence row; IndexError for CLS, registers, outside."""
        token = whole("Grid.place: sequence row", token)
        if not self.prefix <= token < self.tokens:
            raise IndexError(
                f"Grid.place: got sequence row {token}, "
                f"patches are rows {self.prefix} to {self.tokens - 1}"
            )
        return divmod(token - self.prefix, self.columns)

    def places(self) -> Iterator[tuple[int, int]]:
        """Yield (row, column) of every patch in sequence order."""
        return (self.place(token) for token in range(self.prefix, self.tokens))

    def pixels(self, token: int) -> tuple[slice, slice]:
        """Return the pixels (y, x) that a patch's sequence row covers; IndexError as in `place`."""
        row, column = self.place(token)
        down, across = row * self.patch, column * self.patch
        return slice(down, down + self.patch), slice(across, across + self.patch)

    def field(self, row_of_weights: ArrayLike) -> Array:
        """Return one row of weights (…, N) as a picture (…, rows, columns), without the prefix."""
        weights = self._whole_row("Grid.field", row_of_weights)
        on_grid = weights[..., self.prefix :]
        return on_grid.reshape(*weights.shape[:-1], self.rows, self.columns)

    def off_grid(self, row_of_weights: ArrayLike) -> Array:
        """Return the weights (…, prefix) that no picture shows: those on CLS and registers."""
        return self._whole_row("Grid.off_grid", row_of_weights)[..., : self.prefix]

    def _whole_row(self, request: str, row_of_weights: ArrayLike) -> Array:
        weights = as_floats(request, row_of_weights)
        if weights.ndim == 0 or weights.shape[-1] != self.tokens:
            raise ValueError(
                f"{request}: got shape {weights.shape}, takes (…, {self.tokens}): "
                f"{self.prefix} rows in front and {self.patches} patches"
            )
        return weights
