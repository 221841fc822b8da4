"""Definitions of a file of the core as one piece of code that can be copied and runs by itself.

`{{ source torch_reference: self_attention Block }}` puts them on a page, cut out of the file that the
tests run: the imports that they need, then each with its docstring, without the examples in it.
"""

import ast
import re
from pathlib import Path

EXAMPLES = re.compile(r"\n\n[^\n]+\n\n +>>> .*(?=\n +$)|\n\n +>>> .*(?=\n +$)", re.DOTALL)


def definitions(file: Path, names: list[str]) -> str:
    """Return the code of these functions and classes; ValueError names one that the file has not."""
    text = file.read_text(encoding="utf-8")
    tree = ast.parse(text)
    known = {
        node.name: node
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_")
    }
    for name in names:
        if name not in known:
            raise ValueError(f"{file.name} defines no {name}: it has {', '.join(known)}")
    parts = [_without_examples(text, known[name]) for name in names]
    return _imports(tree, "\n".join(parts)) + "".join(f"\n\n{part}\n" for part in parts)


def _without_examples(text: str, node: ast.FunctionDef | ast.ClassDef) -> str:
    code = ast.get_source_segment(text, node) or ""
    docstring = ast.get_docstring(node, clean=False)
    if docstring is None:
        return code
    return code.replace(docstring, EXAMPLES.sub("", docstring), 1)


def _imports(tree: ast.Module, code: str) -> str:
    """Return the import lines of the file, cut to the names that the code uses."""
    used = {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)}
    lines = []
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            node.names = [n for n in node.names if (n.asname or n.name).split(".")[0] in used]
            if node.names:
                lines.append(f"{ast.unparse(node)}\n")
    return "".join(lines)
