"""Trace: every named intermediate of one pass, in stage order, read-only."""

from collections.abc import Iterator, Mapping

from .arrays import Array, as_array

NAMES = (
    "pixels",
    "content",
    "position",
    "X",
    "U",
    "Q",
    "K",
    "V",
    "P",
    "S",
    "masked",
    "A",
    "O",
    "joined",
    "M",
    "Y",
    "W",
    "H",
    "G",
    "F",
    "Z",
)


class Trace(Mapping[str, Array]):
    """The arrays of one pass by name, as `trace["A"]` or `trace.A`; names as in the notation.

    Iteration follows the stages, whatever order the arrays came in. The arrays are copies, so they
    stay when the caller's change, and none can be written to.
    Raises ValueError for a name that no stage has.

    It comes in the order of the stages and cannot be written to:

    >>> trace = Trace({"A": np.eye(2), "X": np.ones((2, 3))})
    >>> trace
    Trace(X (2, 3), A (2, 2))
    >>> trace.A[0, 0] = 5
    Traceback (most recent call last):
    ValueError: assignment destination is read-only
    """

    _arrays: dict[str, Array]

    def __init__(self, arrays: Mapping[str, Array]) -> None:
        unknown = sorted(set(arrays) - set(NAMES))
        if unknown:
            raise ValueError(f"Trace: got {', '.join(unknown)}, takes {', '.join(NAMES)}")
        kept = {
            name: as_array(f"Trace: {name}", arrays[name]).copy()
            for name in NAMES
            if name in arrays
        }
        for array in kept.values():
            array.flags.writeable = False
        self.__dict__["_arrays"] = kept

    def __getitem__(self, name: str) -> Array:
        if name not in self._arrays:
            raise KeyError(f"Trace: no array {name!r}; this pass has {', '.join(self._arrays)}")
        return self._arrays[name]

    def __getattr__(self, name: str) -> Array:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"Trace: {name}: a trace is read-only")

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def __repr__(self) -> str:
        return "Trace(" + ", ".join(f"{name} {array.shape}" for name, array in self.items()) + ")"
