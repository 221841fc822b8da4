"""Passes of attention.js in the embedded engine, those of the core, and how far they are apart."""

import json
import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import numpy as np

from figures_src.inputs import photographs
from figures_src.player import page_data
from figures_src.player.page_scripts import PageScripts, Script, of_docs
from vitattn_core import key_mask
from vitattn_core.mistakes import core_with

ATTENTION = Path(__file__).parents[2] / "docs" / "javascripts" / "attention.js"
TOLERANCE = 1e-9

SWITCHES = {
    "scale": ("head", "model", "off"),
    "position": ("on", "off"),
    "mix": ("v", "k"),
    "axis": ("keys", "queries"),
}
# The same switch in the core: a line of its source, swapped.
IN_THE_CORE = {
    ("scale", "model"): "sqrt-model",
    ("scale", "off"): "no-divisor",
    ("position", "off"): "no-position",
    ("mix", "k"): "keys-mixed",
    ("axis", "queries"): "axis",
}
# What is compared, in the order in which it is computed.
NAMES = (
    "content",
    "position",
    "X",
    "U",
    "Q",
    "K",
    "V",
    "P",
    "divisor",
    "S",
    "masked",
    "top",
    "total",
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

# How arrays leave the scripts: their shapes as JSON, and all numbers as their 8 bytes, which is exact,
# keeps −∞ and is read in no time. `masked` is sent only where it differs from S. `every` leaves out
# queries of the large arrays (h, N, N), for tests that need not see them all.
HAND_OVER = """
(window.vitattn ??= {}).handOver = {
  pass(every, { photo, ...switches }) {
    const { photos, teaching, attention } = window.vitattn;
    const pass = attention.run({ sums: photos[photo].sums, teaching, ...switches });
    const same = pass.masked.every((head, h) => head === pass.S[h]);
    const sent = Object.keys(pass).filter((name) => !(same && name === "masked"));
    for (const name of sent.filter((name) => ["P", "S", "masked", "A"].includes(name))) {
      pass[name] = pass[name].map((head) => head.filter((_, query) => query % every === 0));
    }
    const shape = (array) => (Array.isArray(array) ? [array.length, ...shape(array[0])] : []);
    window.sent = new Float64Array(sent.flatMap((name) => [pass[name]].flat(3)));
    return { same, shapes: Object.fromEntries(sent.map((name) => [name, shape(pass[name])])) };
  },
  mapped(name, { x }) {
    window.sent = Float64Array.from(x, (number) => window.vitattn.attention[name](number));
  },
};
"""

Request = dict[str, Any]
Arrays = dict[str, np.ndarray]


def unpacked(answer: dict[str, Any], numbers: np.ndarray) -> Arrays:
    """Return the arrays of a pass, by name, from what `handOver.pass` answers and the numbers it sent."""
    arrays = {}
    for name, shape in answer["shapes"].items():
        size = math.prod(shape)
        arrays[name], numbers = numbers[:size].reshape(shape), numbers[size:]
    assert numbers.size == 0
    return arrays | ({"masked": arrays["S"]} if answer["same"] else {})


class Engine(PageScripts):
    """The embedded engine with attention.js and all that a pass reads, and further scripts."""

    def __init__(self, more: Sequence[Script] = ()) -> None:
        data = sorted(page_data.scripts().items(), reverse=True)  # the weights, then photographs
        super().__init__(
            [*of_docs("attention"), *data, ("what hands arrays over", HAND_OVER), *more]
        )

    def load(self, source: str) -> None:
        """Put attention.js, or a changed source of it, in place of the one that is there."""
        self._eval("delete window.vitattn.attention", "taking attention.js out")
        self._eval(source, "running attention.js")

    def run(self, request: Request, *, every: int = 1) -> Arrays:
        """Return the pass that the script computes, by name; request: photo, switches, dropped, bug."""
        return unpacked(self.call("handOver.pass", every, request), self._sent())

    def mapped(self, function: str, x: np.ndarray) -> np.ndarray:
        """Return what a function of attention.js makes of each number of x."""
        held = self.hold({"x": x})
        self.call("handOver.mapped", function, held)
        self.drop(held)
        return self._sent()

    def evaluate(self, text: str) -> Any:
        """Return what an expression comes to, through JSON."""
        return json.loads(self._eval(f"JSON.stringify({text})", text))

    def _sent(self) -> np.ndarray:
        sent = cast(memoryview, self._engine.eval("window.sent.buffer"))
        return np.frombuffer(sent, dtype=np.float64).copy()


@cache
def engine() -> Engine:
    """The engine with the scripts as they are; nobody changes it."""
    return Engine()


def in_numpy(request: Request, *, every: int = 1) -> Arrays:
    """Return the same pass from the core, and what shows its softmax: divisor, top, total."""
    chosen = {name: request.get(name, choices[0]) for name, choices in SWITCHES.items()}
    swapped = [IN_THE_CORE[c] for c in chosen.items() if c in IN_THE_CORE]
    core = switched_core((*swapped, *filter(None, [request.get("bug")])))
    keep = np.ones(photographs.trace(request["photo"]).X.shape[0], dtype=bool)
    keep[list(request.get("dropped", ()))] = False
    mask = None if keep.all() else key_mask(keep)
    trace = core.teaching_pass(photographs.image(request["photo"]), mask=mask)

    axis = -1 if chosen["axis"] == "keys" else -2
    top = trace.masked.max(axis=axis, keepdims=True)
    top = np.where(np.isfinite(top), top, 0)
    total = np.exp(trace.masked - top).sum(axis=axis)
    width = {"head": trace.Q.shape[-1], "model": trace.X.shape[-1], "off": 1}[chosen["scale"]]
    shown = {"divisor": np.sqrt(width), "top": top.squeeze(axis), "total": total}
    arrays = {name: trace[name] for name in trace if name != "pixels"} | shown
    return arrays | {name: arrays[name][:, ::every] for name in ("P", "S", "masked", "A")}


@cache
def switched_core(mistakes: tuple[str, ...]) -> ModuleType:
    """Return the core with these lines swapped; loaded once."""
    return core_with(*mistakes)


def differences(ours: Arrays, theirs: Arrays) -> dict[str, float]:
    """Return the largest difference of each array in `NAMES`; infinite where one is missing."""
    return {name: difference(ours.get(name), theirs.get(name)) for name in NAMES}


def difference(ours: np.ndarray | None, theirs: np.ndarray | None) -> float:
    """Return the largest difference; infinite for other shapes, other infinities or any NaN."""
    if ours is None or theirs is None or ours.shape != theirs.shape:
        return np.inf
    finite = np.isfinite(theirs)
    if not np.array_equal(ours[~finite], theirs[~finite]):
        return np.inf
    apart = np.abs(ours[finite] - theirs[finite]).max(initial=0)
    return np.inf if np.isnan(apart) else float(apart)


def error_of_erf(engine: Engine) -> float:
    """Return how far erf is from Python's, from −7 to 7 in steps of 0.001 and around its joints."""
    joints = [np.nextafter(x, x + d) for x in (0.46875, 4) for d in (-1, 0, 1)]
    ends = [1e-300, 1e-20, 1e-8, 10, 30, 1e200]
    x = np.concatenate([np.linspace(-7, 7, 14_001), joints, np.negative(joints), ends])
    return float(np.abs(engine.mapped("erf", x) - [math.erf(number) for number in x]).max())
