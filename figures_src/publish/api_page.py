"""The page of the core's public names: read from the source, so that nothing has to be imported.

A page writes {{ api }}. One section a module, in the order of `vitattn_core.__all__`'s first use of
it along the pass; one entry a name: signature, docstring, file. Names of `torch_reference`, which
needs torch, stand last.
"""

import ast
import html
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import vitattn_core

CORE = Path(vitattn_core.__file__).parent
# Modules whose names are not taken up by the package itself, or not all.
APART = ("loops", "constructed", "torch_reference", "numpy_reference")
ORDER = (
    "grid",
    "patches",
    "positions",
    "attention",
    "masks",
    "streaming",
    "block",
    "trace",
    "stages",
    "teaching",
    "architecture",
    "namings",
    "loading",
    "checkpoint",
    "reading",
    "interventions",
    "flattest",
    "mistakes",
    "checks",
    "detection",
    "cost",
    *APART,
)


@dataclass(frozen=True)
class Name:
    """One public name: as the package calls it, the module it stands in, its source and docstring."""

    name: str
    module: str
    signature: str
    doc: str
    members: tuple["Name", ...] = ()


@cache
def _tree(module: str) -> ast.Module:
    return ast.parse((CORE / f"{module}.py").read_text(encoding="utf-8"))


def exported() -> dict[str, tuple[str, str]]:
    """Return what `vitattn_core` exports: name -> (module, the name it has there)."""
    found = {}
    for node in _tree("__init__").body:
        if isinstance(node, ast.ImportFrom) and node.level == 1 and node.module:
            for alias in node.names:
                found[alias.asname or alias.name] = (node.module, alias.name)
    return {name: found[name] for name in vitattn_core.__all__}


def _own_names(module: str) -> list[str]:
    """Return the public functions and classes of a module, in its order."""
    kinds = (ast.FunctionDef, ast.ClassDef)
    return [n.name for n in _tree(module).body if isinstance(n, kinds) and n.name[0] != "_"]


@cache
def names() -> tuple[Name, ...]:
    """Return all public names, module by module in `ORDER`."""
    every = [(module, own, name) for name, (module, own) in exported().items()]
    have = {(module, own) for module, own, _ in every}
    for module in APART:
        every += [(module, own, own) for own in _own_names(module) if (module, own) not in have]
    unknown = sorted({module for module, _, _ in every} - set(ORDER))
    if unknown:
        raise ValueError(f"api: got names of {', '.join(unknown)}, which ORDER does not list")
    placed = sorted(every, key=lambda entry: (ORDER.index(entry[0]), _line(*entry[:2])))
    return tuple(_read(*entry) for entry in placed)


def _find(module: str, own: str) -> ast.stmt:
    for node in _tree(module).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == own:
            return node
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if any(isinstance(target, ast.Name) and target.id == own for target in targets):
            return node
    raise ValueError(f"api: {module}.py has no {own!r}")


def _line(module: str, own: str) -> int:
    return _find(module, own).lineno


def _read(module: str, own: str, name: str) -> Name:
    node = _find(module, own)
    if isinstance(node, ast.FunctionDef):
        return Name(name, module, _signature(name, node), ast.get_docstring(node) or "")
    if isinstance(node, ast.ClassDef):
        return Name(
            name, module, _fields(name, node, module), ast.get_docstring(node) or "", _members(node)
        )
    first = (ast.get_docstring(_tree(module)) or "").split("\n\n")[0]
    said = first.partition(f"{own}: ")[2]
    return Name(name, module, name, said[:1].upper() + said[1:])


def _signature(name: str, node: ast.FunctionDef) -> str:
    given = ast.unparse(node.args)
    given = re.sub(r"^(self|cls)(, |$)", "", given)
    given = re.sub(r"(: [^=,]+)=", r"\1 = ", given)  # as written: `axis: int = -1`
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{name}({given}){returns}"


def _fields(name: str, node: ast.ClassDef, module: str) -> str:
    """Return a class as it is called: by its fields, those of its base first, or by `__init__`."""
    for item in node.body:
        if isinstance(item, ast.FunctionDef) and item.name == "__init__":
            return _signature(name, item).removesuffix(" -> None")
    own = {n.name: n for n in _tree(module).body if isinstance(n, ast.ClassDef)}
    bases = [own[base.id] for base in node.bases if isinstance(base, ast.Name) and base.id in own]
    items = [item for part in (*bases, node) for item in part.body]
    fields = [ast.unparse(item) for item in items if isinstance(item, ast.AnnAssign)]
    return f"{name}({', '.join(fields)})"


def _members(node: ast.ClassDef) -> tuple[Name, ...]:
    """Return the public methods and properties that have a docstring."""
    found = []
    for item in node.body:
        if isinstance(item, ast.FunctionDef) and item.name[0] != "_" and ast.get_docstring(item):
            is_property = any(getattr(d, "id", "") == "property" for d in item.decorator_list)
            said = item.name if is_property else _signature(item.name, item)
            found.append(Name(item.name, "", said, ast.get_docstring(item) or ""))
    return tuple(found)


def markdown() -> str:
    """Return the page's sections: a heading a module and a name, the rest as HTML."""
    parts = []
    for module in ORDER:
        inside = [name for name in names() if name.module == module]
        if not inside:
            continue
        said = ast.get_docstring(_tree(module)) or ""
        parts.append(f"## {module} {{#module-{module.replace('_', '-')}}}\n\n{_prose(said)}\n")
        for entry in inside:
            body = f'<pre class="va-signature"><code>{html.escape(entry.signature)}</code></pre>'
            body += _prose(entry.doc)
            if entry.members:
                members = (
                    f"<dt><code>{html.escape(m.signature)}</code></dt><dd>{_inner(m.doc)}</dd>"
                    for m in entry.members
                )
                body += f"<dl>{''.join(members)}</dl>"
            source = f'<p class="va-source">vitattn_core/{module}.py</p>'
            anchor = f"core-{entry.name.replace('_', '-')}"
            if module in APART:
                anchor = f"{module.replace('_', '-')}-{anchor.removeprefix('core-')}"
            parts.append(f"### {entry.name} {{#{anchor}}}\n\n")
            parts.append(f'<div class="va-api">{body}{source}</div>\n')
    return "\n".join(parts)


def _prose(doc: str) -> str:
    """Return a docstring as HTML: its paragraphs, code in backticks, examples without prompts."""
    return "".join(
        f"<pre><code>{_example(part)}</code></pre>" if part.startswith(">>>") else f"<p>{part}</p>"
        for part in _paragraphs(doc)
    )


def _inner(doc: str) -> str:
    return " ".join(part for part in _paragraphs(doc) if not part.startswith(">>>"))


def _paragraphs(doc: str) -> list[str]:
    parts = []
    for part in doc.split("\n\n"):
        if part.strip().startswith(">>>"):
            parts.append(part.strip())
        elif part.strip():
            words = html.escape(" ".join(part.split()), quote=False)
            parts.append(re.sub(r"`([^`]+)`", r"<code>\1</code>", words))
    return parts


def _example(doctest: str) -> str:
    """Return `>>> call` and its result in one line each, as `call  # result`."""
    lines: list[str] = []
    for line in doctest.splitlines():
        if line.startswith((">>> ", "... ")):
            lines.append(line[4:])
        else:
            lines[-1] += f"  # {line}"
    return html.escape("\n".join(lines))
