"""How the outputs of the notebooks that the build does not run were made. Not part of a build.

    make notebooks     (needs torch and scikit-learn)

Runs each of `notebooks.KEPT` from its first cell to its last and writes it back with what it printed
and drew. No times and no execution counts are kept, so that a second run on the same machine writes
the same bytes. `made_from` says which code the outputs belong to.
"""

import copy
import json
import os
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from traitlets.config import Config

from figures_src.publish.notebooks import kernels, pages

ROOT = Path(__file__).resolve().parents[2]
LONGEST = 600  # seconds that one cell may take


def ran(source: str, page: str) -> str:
    """The text of the notebook file at `page` with the outputs of a new run."""
    whole = json.loads(source)
    scratch = kernels.scratch_folder()
    os.environ.update(kernels.environment(ROOT, scratch))
    settings = scratch / "jupyter_nbconvert_config.json"
    config = Config(json.loads(settings.read_text())) if settings.is_file() else Config()
    book = nbformat.reads(source, as_version=4)
    folder = {"metadata": {"path": str((ROOT / "docs" / page).parent)}}
    NotebookClient(book, timeout=LONGEST, resources=folder, config=config).execute()
    read = pages.read(page, source)
    for number, (cell, done) in enumerate(zip(whole["cells"], book.cells, strict=True), start=1):
        if cell["cell_type"] == "code":
            try:
                cell["outputs"] = outputs(done["outputs"])
            except ValueError as error:
                raise read.error(number, error) from error
            cell["execution_count"] = None
    whole["metadata"]["made_from"] = read.digest()
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def outputs(made: list[Any]) -> list[dict[str, Any]]:
    """What is kept of a cell's outputs: printed text in one piece, and drawings."""
    found: list[dict[str, Any]] = []
    for output in copy.deepcopy(made):
        if output["output_type"] == "stream" and output["name"] == "stdout":
            if found and found[-1]["output_type"] == "stream":
                found[-1]["text"] += output["text"]
            else:
                found.append({"name": "stdout", "output_type": "stream", "text": output["text"]})
        elif svg := output.get("data", {}).get("image/svg+xml"):
            found.append(
                {"data": {"image/svg+xml": svg}, "metadata": {}, "output_type": "display_data"}
            )
        else:
            raise ValueError(f"has an output that is neither printed nor drawn: {output}")
    for output in found:
        if output["output_type"] == "stream":
            output["text"] = output["text"].splitlines(keepends=True)
    return found


def main() -> None:
    for page in pages.KEPT:
        path = ROOT / "docs" / page
        path.write_text(ran(path.read_text(encoding="utf-8"), page), encoding="utf-8")
        print(f"made anew: {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
