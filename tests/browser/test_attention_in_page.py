"""attention.js in Chromium: one global, from disk, in any order, with the numbers of the embedded engine.

Up to the scores they are the same bits. Engines differ in the last bit of Math.exp, so that what
follows may differ as far as such a bit reaches.
"""

import base64
import json
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser

from figures_src.player import page_data
from tests.player.passes import (
    ATTENTION,
    HAND_OVER,
    NAMES,
    TOLERANCE,
    Request,
    differences,
    engine,
    in_numpy,
    unpacked,
)

PASSES: list[Request] = [
    {"photo": "chelsea"},
    {"photo": "rocket", "scale": "off", "mix": "k"},
    {"photo": "coffee", "axis": "queries", "position": "off"},
    {"photo": "chelsea", "dropped": [0, 75], "bug": "mask"},
    {"photo": "coffee", "scale": "model", "bug": "merge"},
    {"photo": "rocket", "bug": "residual", "dropped": list(range(197))},
]

# What is computed without an exponential, and how far the others may be off for its last bit.
EXACT = NAMES[: NAMES.index("total")]
LAST_BIT = 1e-13

# What handOver answers, with its numbers as the base64 of their bytes.
TAKEN = """async (request) => {
  const answer = vitattn.handOver.pass(1, request);
  const reader = new FileReader();
  await new Promise((done) => {
    reader.onload = done;
    reader.readAsDataURL(new Blob([window.sent]));
  });
  return JSON.stringify({ ...answer, bytes: reader.result.split(",")[1] });
}"""


def test_it_works_from_disk_in_any_order_with_one_global_as_in_the_engine(
    browser: Browser, tmp_path: Path
) -> None:
    scripts = {path.split("/")[-1]: text for path, text in page_data.scripts().items()}
    scripts["attention.js"] = ATTENTION.read_text(encoding="utf-8")
    for file, text in scripts.items():
        (tmp_path / file).write_text(text, encoding="utf-8")
    tags = "".join(f'<script src="{file}"></script>' for file in sorted(scripts, reverse=True))
    before = "<script>window.before = new Set(Object.keys(window))</script>"
    html = f'<!doctype html><meta charset="utf-8">{before}{tags}'
    (tmp_path / "page.html").write_text(html, encoding="utf-8")
    page = browser.new_page()
    page.goto((tmp_path / "page.html").as_uri())
    added = page.evaluate("Object.keys(window).filter((name) => !window.before.has(name))")
    assert set(added) - {"before"} == {"vitattn"}

    page.add_script_tag(content=HAND_OVER)
    for request in PASSES:
        answer = json.loads(page.evaluate(TAKEN, request))
        numbers = np.frombuffer(base64.b64decode(answer["bytes"]))
        ours, theirs = unpacked(answer, numbers), engine().run(request)
        assert set(ours) == set(theirs) == set(NAMES)
        apart = [name for name in EXACT if ours[name].tobytes() != theirs[name].tobytes()]
        assert not apart, (request, apart)
        assert max(differences(ours, theirs).values()) <= LAST_BIT, differences(ours, theirs)
        assert max(differences(ours, in_numpy(request)).values()) <= TOLERANCE
    page.close()
