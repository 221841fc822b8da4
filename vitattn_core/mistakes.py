"""MISTAKES: the implementation errors of the site, each as one line of this core.

People have shipped them: each names a public report, except one, of which none is known. A mistake
names a module, the right line and the same line with the bug. `core_with("merge")` loads a copy of
this package with that line swapped, so a wrong result on the site is the bug's own.
"""

import importlib.util
import itertools
import shutil
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

_SOURCE = Path(__file__).parent
_copies = itertools.count()


@dataclass(frozen=True, kw_only=True)
class Change:
    """One line of a module of the core, and the line to put in its place."""

    module: str
    right: str
    wrong: str

    def apply(self, folder: Path) -> None:
        """Swap the line in a copy of the package; ValueError unless it stands there exactly once."""
        file = folder / f"{self.module}.py"
        source = file.read_text(encoding="utf-8")
        if (found := source.count(self.right)) != 1:
            raise ValueError(
                f"{self.module}.py: {self.right!r} stands there {found} times, takes 1"
            )
        file.write_text(source.replace(self.right, self.wrong), encoding="utf-8")


@dataclass(frozen=True, kw_only=True)
class Mistake(Change):
    """A bug: its name, whole and short, what it does, and a public report (None: none is known).

    All were shipped and reported, except where no report is known:

    >>> [name for name, mistake in MISTAKES.items() if mistake.report is None]
    ['one-row']
    """

    title: str
    short: str
    damage: str
    report: str | None


MISTAKES = {
    "sqrt-model": Mistake(
        title="Scaling by √D instead of √d_h",
        short="√D for √d_h",
        module="attention",
        right="S = scale(P, Q.shape[-1])",
        wrong="S = scale(P, rows.shape[-1])",
        damage="Scores are too close together, so every row is flatter than it should be.",
        report="lucidrains/vit-pytorch#65",
    ),
    "axis": Mistake(
        title="Softmax over the wrong axis",
        short="softmax axis",
        module="attention",
        right="A = softmax(masked)",
        wrong="A = softmax(masked, axis=-2)",
        damage="Columns sum to one instead of rows, so no output is a weighted mean.",
        report="nerminnuraydogan/vision-transformer#1",
    ),
    "keys-mixed": Mistake(
        title="Mixing keys instead of values",
        short="keys mixed",
        module="attention",
        right="O = mix(A, V)",
        wrong="O = mix(A, K)",
        damage="The painted row is right and the output is not: it holds what rows show, not what they give.",
        report="ruvnet/agentic-flow#191",
    ),
    "no-position": Mistake(
        title="Dropping position",
        short="no position",
        module="patches",
        right="return content + position",
        wrong="return content",
        damage="Equal patches in different places can no longer be told apart.",
        report="labmlai/annotated_deep_learning_paper_implementations#133",
    ),
    "one-row": Mistake(
        title="Charging N for the row shown instead of N² for the operation",
        short="N for N²",
        module="cost",
        right="return tokens**2",
        wrong="return tokens",
        damage="The count is that of the one row in the picture: too small by a factor of N.",
        report=None,
    ),
    "merge": Mistake(
        title="Merging heads by reshape without transpose",
        short="merge by reshape",
        module="attention",
        right="return o.swapaxes(-3, -2).reshape(*batch, tokens, heads * head_width)",
        wrong="return o.reshape(*batch, tokens, heads * head_width)",
        damage="The shape is right and rows get channels of other rows.",
        report="jsbaan/transformer-from-scratch#4",
    ),
    "mask": Mistake(
        title="Inverted mask polarity",
        short="mask turned round",
        module="masks",
        right="return np.where(keep, shown, shown.dtype.type(-np.inf))",
        wrong="return np.where(keep, shown.dtype.type(-np.inf), shown)",
        damage="Only the keys that should be hidden take part.",
        report="rasbt/LLMs-from-scratch#1061",
    ),
    "patchify": Mistake(
        title="Patchify that scrambles pixels",
        short="scrambled cut",
        module="patches",
        right="cut = np.moveaxis(cut, (-4, -2), (-5, -4))",
        wrong="pass",
        damage="The shape is right and no row holds the pixels of one square.",
        report="gupta-abhay/pytorch-vit#7",
    ),
    "offset": Mistake(
        title="A row of weights put on the grid without leaving out CLS",
        short="CLS left in",
        module="grid",
        right="on_grid = weights[..., self.prefix :]",
        wrong="on_grid = weights[..., : self.patches]",
        damage="The picture is shifted by one patch, and the weight on CLS is painted on a patch.",
        report="evandez/neuron-descriptions#23",
    ),
    "residual": Mistake(
        title="The residual adds LN(X)",
        short="residual of LN(X)",
        module="block",
        right='Y = rows + _scaled("scale_1", heads["M"], w.scale_1)',
        wrong='Y = U + _scaled("scale_1", heads["M"], w.scale_1)',
        damage="The row no longer keeps what it was: its mean and its spread are lost.",
        report="Howuhh/faster-trajectory-transformer#3",
    ),
    "rollout": Mistake(
        title="Rollout normalised without keepdims",
        short="no keepdims",
        module="interventions",
        right="total = mixed.sum(axis=-1, keepdims=True)",
        wrong="total = mixed.sum(axis=-1)",
        damage="Each entry is divided by the sum of another row, so rows no longer sum to one.",
        report="jacobgil/vit-explain#16",
    ),
}

# Not a bug that people ship by accident, but a question: what if nothing were divided?
WHAT_IFS = {
    "no-divisor": Change(
        module="attention", right="S = scale(P, Q.shape[-1])", wrong="S = 1.0 * P"
    ),
}


def write_core(folder: Path, changes: Iterable[Change]) -> Path:
    """Copy the package's modules to `folder`/vitattn_core, apply the changes, return that path.

    Text is copied and not permissions: where the package may not be written to, its copy may be.
    """
    package = folder / _SOURCE.name
    package.mkdir()
    for file in _SOURCE.glob("[!.]*.py"):  # an editor's lock files begin with a dot
        if not file.name.startswith("torch_"):
            shutil.copyfile(file, package / file.name)
    for change in changes:
        change.apply(package)
    return package


def core_with(*ids: str) -> ModuleType:
    """Return a copy of this package in which the named mistakes and what-ifs are made.

    Raises KeyError for an unknown id, ValueError for two changes of the same line.

    The shape is right and the rows are not; the core itself stays as it is.

    >>> heads = np.array([[[1.0, 2.0], [5.0, 6.0]], [[3.0, 4.0], [7.0, 8.0]]])
    >>> core_with("merge").merge_heads(heads).astype(int).tolist()
    [[1, 2, 5, 6], [3, 4, 7, 8]]
    >>> merge_heads(heads).astype(int).tolist()
    [[1, 2, 3, 4], [5, 6, 7, 8]]
    """
    known: dict[str, Change] = {**MISTAKES, **WHAT_IFS}
    for id in ids:
        if id not in known:
            raise KeyError(f"core_with: got {id!r}, takes one of {', '.join(known)}")
    return core_changed(known[id] for id in ids)


def core_changed(changes: Iterable[Change]) -> ModuleType:
    """Return a copy of this package with any changes; ValueError for two of the same line."""
    name = f"{_SOURCE.name}__{next(_copies)}"
    with tempfile.TemporaryDirectory() as folder:
        package = write_core(Path(folder), changes)
        spec = importlib.util.spec_from_file_location(
            name, package / "__init__.py", submodule_search_locations=[str(package)]
        )
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return module
