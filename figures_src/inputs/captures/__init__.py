"""The captures of the trained model, as pages read them at build: Q, K, rows of weights, findings.

figures_src/inputs/captures/ holds one file a photograph and layer, `<photo>-<layer>.bin`, and manifest.json.
A file is six records, one a head, each of 33,280 bytes, little endian:

    Q     int8     (257, 64)   queries, in steps
    K     int8     (257, 64)   keys less the mean key, in steps
    q     float16  (64,)       step of each channel of Q
    k     float16  (64,)       step of each channel of K
    mean  float16  (64,)       the mean key; it adds the same number to all scores of a row

Whole numbers run from −123 to 123. `<photo>-<layer>-v.bin` holds values in the same way: int8 (257, 64)
and float16 (64,) a head. Layers and heads count from 1, rows of the sequence from 0, CLS first.
`make captures` made the files; the weights of the model are not in the repository.
"""

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from figures_src.inputs import photographs
from figures_src.source_fault import SourceFault
from vitattn_core import Grid, products, scale, softmax
from vitattn_core.arrays import Array

FOLDER = Path(__file__).parent
PHOTOS = tuple(one.name for one in photographs.PHOTOGRAPHS if one.captures)
LAYERS, HEADS, TOKENS, HEAD_WIDTH = 12, 6, 257, 64
GRID = Grid(224, 224, 14)
LEVELS = 123  # the largest whole number: 247 of them fit a byte of a script's text without escapes
RECORD = np.dtype(
    [
        ("Q", "i1", (TOKENS, HEAD_WIDTH)),
        ("K", "i1", (TOKENS, HEAD_WIDTH)),
        ("q", "<f2", (HEAD_WIDTH,)),
        ("k", "<f2", (HEAD_WIDTH,)),
        ("mean", "<f2", (HEAD_WIDTH,)),
    ]
)
VALUES = np.dtype([("V", "i1", (TOKENS, HEAD_WIDTH)), ("v", "<f2", (HEAD_WIDTH,))])


@dataclass(frozen=True)
class Layer:
    """All heads of one layer: Q, K (6, 257, 64) in float64, K without mean_key (6, 64)."""

    Q: Array
    K: Array
    mean_key: Array

    @property
    def scores(self) -> Array:
        """Scores S (6, 257, 257), up to one number a row, which the softmax does not see."""
        return scale(products(self.Q, self.K), HEAD_WIDTH)

    @property
    def true_scores(self) -> Array:
        """Scores S (6, 257, 257) of the keys as they were, the mean key included."""
        return scale(products(self.Q, self.K + self.mean_key[:, None]), HEAD_WIDTH)

    @property
    def weights(self) -> Array:
        """Weights A (6, 257, 257)."""
        return softmax(self.scores)


def name_of(photo: str, layer: int) -> str:
    """Return the file of a photograph and layer; KeyError for a photograph or layer there is not."""
    if photo not in PHOTOS or not 1 <= layer <= LAYERS:
        raise KeyError(
            f"captures: got {photo!r}, layer {layer}; takes {', '.join(PHOTOS)} and 1 to {LAYERS}"
        )
    return f"{photo}-{layer:02d}.bin"


def read(name: str) -> bytes:
    """Return a file of the captures; ValueError where its hash is not the manifest's."""
    content = (FOLDER / name).read_bytes()
    stated = manifest()["files"][name]["sha256"]
    if (digest := hashlib.sha256(content).hexdigest()) != stated:
        raise ValueError(f"captures/{name}: got SHA-256 {digest}, the manifest says {stated}")
    return content


@cache
def manifest() -> dict[str, Any]:
    """Return the manifest."""
    entries: dict[str, Any] = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))
    return entries


def check_photographs() -> None:
    """Raise SourceFault unless there are captures of each photograph that says so, of its pixels."""
    for photo in PHOTOS:
        stated = manifest()["photos"].get(photo)
        first = photographs.FIRST_CAPTURED[photo]
        place, wrong = "figures_src/inputs/photographs/__init__.py", None
        if stated is None or name_of(photo, 1) not in manifest()["files"]:
            wrong = "there are no captures of it: run make captures (CONTRIBUTING), or say captures=False"
        elif stated != hashlib.sha256(photographs.image(photo).tobytes()).hexdigest():
            wrong = "its captures are of other pixels: run make captures (CONTRIBUTING) again"
        elif first not in GRID.places():
            wrong = f"first_captured: got {first}, takes a row and a column of 0 to {GRID.rows - 1}"
        if wrong:
            raise SourceFault(place, f"photograph {photo!r}: {wrong}")


def records(photo: str, layer: int) -> np.ndarray:
    """Return the six records of a layer as stored: for a script, `records(…)[head − 1].tobytes()`."""
    return np.frombuffer(read(name_of(photo, layer)), RECORD)


def decode(stored: np.ndarray) -> Layer:
    """Return queries and keys of records as numbers: whole number times step."""
    return Layer(
        Q=_numbers(stored["Q"], stored["q"]),
        K=_numbers(stored["K"], stored["k"]),
        mean_key=stored["mean"].astype(np.float64),
    )


def _numbers(levels: np.ndarray, steps: np.ndarray) -> Array:
    return levels.astype(np.float64) * steps.astype(np.float64)[..., None, :]


@cache
def load(photo: str, layer: int) -> Layer:
    """Return Q and K of all heads of a layer, from 1."""
    return decode(records(photo, layer))


def row(photo: str, layer: int, head: int, query: int) -> Array:
    """Return one row of weights (257,), through the core: layer and head from 1, query from 0."""
    if not (1 <= head <= HEADS and 0 <= query < TOKENS):
        raise KeyError(
            f"captures: got head {head}, query {query}; takes 1 to {HEADS} and 0 to {TOKENS - 1}"
        )
    captured = load(photo, layer)
    queries, keys = captured.Q[head - 1, query : query + 1], captured.K[head - 1]
    return softmax(scale(products(queries, keys), HEAD_WIDTH))[0]


@cache
def values(photo: str, layer: int) -> Array:
    """Return V (6, 257, 64) of a layer whose values were captured; KeyError for another."""
    name = name_of(photo, layer).replace(".bin", "-v.bin")
    if name not in manifest()["files"]:
        raise KeyError(f"captures: no values of {photo}, layer {layer}")
    stored = np.frombuffer(read(name), VALUES)
    return _numbers(stored["V"], stored["v"])


def _halves(name: str, shape: tuple[int, ...]) -> Array:
    return np.frombuffer(read(name), "<f2").reshape(shape).astype(np.float64)


@cache
def cls_rows(photo: str) -> Array:
    """Return the rows of weights of CLS as the model had them, (12, 6, 257), rounded to float16."""
    return _halves(f"{photo}-cls.bin", (LAYERS, HEADS, TOKENS))


@cache
def value_lengths(photo: str) -> Array:
    """Return the lengths of all values, (12, 6, 257), rounded to float16."""
    return _halves(f"{photo}-lengths.bin", (LAYERS, HEADS, TOKENS))


@cache
def saliency(photo: str) -> Array:
    """Return the model's saliency map (128, 128), from 0 to 1, in steps of 1/255."""
    return np.frombuffer(read(f"{photo}-saliency.bin"), "u1").reshape(128, 128) / 255.0


def finding(name: str) -> Any:
    """Return the value of a named finding: a number, text, or nested lists; KeyError if unknown."""
    entries = manifest()["findings"]
    if name not in entries:
        near = [known for known in entries if known.split(".")[0] == name.split(".")[0]]
        raise KeyError(f"captures: no finding {name!r}; near: {', '.join(near) or 'none'}")
    return entries[name]["value"]


def measured(name: str) -> Array:
    """Return the value of a finding as an array of numbers."""
    return np.array(finding(name), dtype=np.float64)


# The patches of the cat's eyes: from the first row and column to the last, as the photograph shows them.
EYES = {"left": ((4, 8), (3, 7)), "right": ((6, 9), (11, 14))}


def eye(name: str) -> NDArray[np.bool_]:
    """Return which patches belong to an eye, True in (16, 16)."""
    inside = np.zeros((GRID.rows, GRID.columns), dtype=bool)
    (top, bottom), (left, right) = EYES[name]
    inside[top : bottom + 1, left : right + 1] = True
    return inside
