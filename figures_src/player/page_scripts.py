"""The page's own scripts, run at build: what the page says of a state is said by them alone.

The files of `docs/javascripts` run unmodified in an embedded engine (V8, by the package mini-racer).
They are classic scripts that put their functions under one global, `window.vitattn`, and touch no
page when they are loaded, so that an empty `window` is all they need.
"""

import atexit
import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray
from py_mini_racer import JSEvalException, MiniRacer

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "javascripts"

# A script: what it is called in an error, and its text.
Script: TypeAlias = tuple[str, str]

# What the engine lacks of a page, and what stands between it and Python. Arrays come as the bytes of
# float64 numbers and wait in `held`, since they are large, and JSON knows no infinity.
SHIM = """
globalThis.window = globalThis;
globalThis.exchange = {
  held: new Map(),
  take(bytes) {
    this.buffer = new ArrayBuffer(bytes);
    return this.buffer;
  },
  nest(numbers, shape) {
    if (shape.length === 0) return numbers[0];
    if (shape.length === 1) return Array.from(numbers);
    const size = numbers.length / shape[0];
    return Array.from({ length: shape[0] }, (_, n) =>
      this.nest(numbers.subarray(n * size, (n + 1) * size), shape.slice(1)));
  },
  hold(key, shapes) {
    const held = {};
    let start = 0;
    for (const [name, shape] of shapes) {
      const size = shape.reduce((product, length) => product * length, 1);
      held[name] = this.nest(new Float64Array(this.buffer, 8 * start, size), shape);
      start += size;
    }
    this.held.set(key, held);
    this.buffer = null;
  },
  call(path, request) {
    const revived = JSON.parse(request, (_, value) => {
      const held = value?.held && this.held.get(value.held);
      return held ? (value.of ? held[value.of] : held) : value;
    });
    const names = path.split(".");
    const owner = names.slice(0, -1).reduce((part, name) => part[name], window.vitattn);
    return JSON.stringify(owner[names.at(-1)](...revived) ?? null);
  },
};
"""


class ScriptError(RuntimeError):
    """A script of the page failed; the message names the script and the request."""


class PageScripts:
    """An engine that has run some scripts, and answers calls of what they define.

    Raises ScriptError, which names the script, for one that fails to run.
    """

    def __init__(self, scripts: Sequence[Script]) -> None:
        self._engine = MiniRacer()
        # Left to the end of the interpreter, its thread may wait for ever.
        atexit.register(self._engine.close)
        self._count = 0
        for name, text in (("the embedded engine", SHIM), *scripts):
            self._eval(f"{text}\n//# sourceURL={name}", f"running {name}")

    def call(self, function: str, *arguments: object) -> Any:
        """Return what `window.vitattn.<function>` answers, through JSON.

        An argument is anything that JSON can hold, with what `hold` returned in it. Raises
        ScriptError, which names the function, its arguments and the line of the script.
        """
        request = json.dumps(arguments, allow_nan=False)
        call = f"exchange.call({json.dumps(function)}, {json.dumps(request)})"
        return json.loads(self._eval(call, f"{function}{request}"))

    def hold(self, arrays: Mapping[str, NDArray[np.float64]]) -> dict[str, Any]:
        """Hand arrays over as nested lists; the answer stands for them in the arguments of a call.

        With an "of" added to it, it stands for the array of that name. The engine keeps the arrays
        until they are dropped.
        """
        self._count += 1
        parts = [np.ascontiguousarray(array, dtype=np.float64) for array in arrays.values()]
        flat = b"".join(part.tobytes() for part in parts)
        shapes = [[name, array.shape] for name, array in arrays.items()]
        room = cast(memoryview, self._engine.eval(f"exchange.take({len(flat)})"))
        room[:] = flat
        self._eval(f"exchange.hold({self._count}, {json.dumps(shapes)})", "handing arrays over")
        return {"held": self._count}

    def drop(self, reference: dict[str, Any]) -> None:
        """Let go of what `hold` has handed over."""
        self._engine.eval(f"exchange.held.delete({reference['held']})")

    def _eval(self, text: str, request: str) -> Any:
        try:
            return self._engine.eval(text)
        except JSEvalException as error:
            excerpt = request if len(request) <= 300 else f"{request[:300]} …"
            raise ScriptError(f"{excerpt}: {str(error).strip()}") from error


def of_docs(*names: str) -> list[Script]:
    """Return scripts of `docs/javascripts`, by name without the ending."""
    return [
        (f"docs/javascripts/{name}.js", (FOLDER / f"{name}.js").read_text(encoding="utf-8"))
        for name in names
    ]


def once(scripts: Callable[[], Sequence[Script]]) -> Callable[[], PageScripts]:
    """Return a function that starts the engine with these scripts at its first call, and keeps it."""
    return cache(lambda: PageScripts(scripts()))
