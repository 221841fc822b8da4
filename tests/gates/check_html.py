"""HTML validity of every built page, by the Nu Html Checker: `make check` runs it.

    python -m tests.gates.check_html [site]      (needs Java, and vnu-jar from `npm ci`)

Every message counts, warnings too, but for EXCEPTIONS. Folds of the player that are loaded when
they are opened are read in the page they open in. In the same run it reads a page that is wrong on
purpose: if the checker stays silent about that one, this check has failed.
"""

import json
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests import outside

JAR = "vnu-jar/build/dist/vnu.jar"
FOLD = re.compile(r'\[("[^"]*")\] = (".*");')  # name and markup in assets/fold-….js, both JSON


@dataclass(frozen=True)
class Allowed:
    """A message that is not held against a page: its text, the markup it is about, the reason."""

    message: str
    about: str
    reason: str


EXCEPTIONS = (
    Allowed(
        "Attribute “autocomplete” is only allowed when the input type is",
        r'id="__(drawer|search)"',
        "the theme's two switches: the attribute keeps Firefox from restoring them on reload",
    ),
    Allowed(
        "Attribute “scriptlevel” not allowed on element “mtable”",
        r"<mtable",
        "MathML Core allows it on every element; the checker knows MathML 3",
    ),
)

WRONG = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Wrong on purpose</title></head>
<body><p id="twice"><p id="twice"><img src="a.png"><center>old</center>
<ul><p>no item</p></ul><section></div></section></body></html>
"""
MUST_BE_FOUND = (
    r"Duplicate ID “twice”",
    r"An “img” element must have an “alt” attribute",
    r"“center” element is obsolete",
    r"“p” not allowed as child of element “ul”",
    r"Stray end tag “div”",
)


def messages(jar: Path, files: list[Path]) -> list[dict]:
    """Return what the checker says: dicts with url, message, extract, lastLine."""
    command = ["java", "-Xss4m", "-jar", str(jar), "--format", "json", "--stdout", *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if not done.stdout.strip():
        raise SystemExit(f"vnu said nothing: {done.stderr[-2000:]}")
    return json.loads(done.stdout)["messages"]


def with_folds(site: Path) -> str:
    """Return the explainer with every late fold's markup where its script puts it."""
    page = (site / "index.html").read_text(encoding="utf-8")
    for script in sorted((site / "assets").glob("fold-*.js")):
        name, markup = map(json.loads, FOLD.findall(script.read_text(encoding="utf-8"))[0])
        place = re.compile(
            rf'(<details[^>]* data-part="{name}".*?<div class="va-fold-body"[^>]*>)(</div>)'
        )
        page, count = place.subn(rf"\1@fold-{name}@\2", page)
        if count != 1:
            raise SystemExit(f"{script.name}: {count} places for it in index.html, takes 1")
        page = page.replace(f"@fold-{name}@", markup)
    return page


def excepted(message: dict) -> Allowed | None:
    """Return the exception that this message falls under, if any."""
    for entry in EXCEPTIONS:
        if entry.message in message["message"] and re.search(
            entry.about, message.get("extract", "")
        ):
            return entry
    return None


def unseen(said: list[dict]) -> list[str]:
    """Return which faults of the wrong page the checker did not see."""
    texts = [message["message"] for message in said]
    return [fault for fault in MUST_BE_FOUND if not any(re.search(fault, t) for t in texts)]


def main(site: Path) -> int:
    """Check every page of `site`; return the exit status."""
    absent = outside.missing(programs=("java",), files=(JAR,))
    if absent:
        return outside.not_run("HTML validity", absent)
    files = outside.pages(site)
    with tempfile.TemporaryDirectory() as folder:
        wrong = Path(folder) / "wrong-on-purpose.html"
        wrong.write_text(WRONG, encoding="utf-8")
        opened = Path(folder) / "index-with-folds.html"
        opened.write_text(with_folds(site), encoding="utf-8")
        said = messages(outside.PACKAGES / JAR, [*files, opened, wrong])
    on_purpose = [message for message in said if message["url"].endswith(wrong.name)]
    kept = [m for m in said if m not in on_purpose and excepted(m) is None]
    for message in kept:
        where = f"{message['url'].rsplit('/', 1)[-1]}:{message.get('lastLine', '?')}"
        print(f"{where}: {message['message']}\n    {message.get('extract', '').strip()}")
    silent = unseen(on_purpose)
    for fault in silent:
        print(f"the checker did not see a fault made on purpose: {fault}")
    used = {excepted(message) for message in said}
    unused = [entry for entry in EXCEPTIONS if entry not in used]
    for entry in unused:
        print(f"no page needs this exception any more, take it out: {entry.message}")
    print(f"HTML validity: {len(files)} pages, {len(kept)} faults")
    return 1 if kept or silent or unused else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else outside.ROOT / "site")))
