"""A notebook's cells, run as Jupyter runs them but in this process."""

import ast
import json
from pathlib import Path


def code_cells(notebook: Path) -> list[str]:
    """Return the source of each code cell; raise `ValueError` for a cell with stored outputs."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    if any(cell["outputs"] or cell["execution_count"] for cell in code):
        raise ValueError(f"{notebook}: clear all outputs before you save it")
    return ["".join(cell["source"]) for cell in code]


def shown_values(cells: list[str]) -> list[object]:
    """Run cells in order; return the value that each displays, None if it displays none."""
    names: dict[str, object] = {"__name__": "__main__"}
    shown = []
    for source in cells:
        tree, value = ast.parse(source), None
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, source, "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), source, "eval"), names)
        shown.append(value)
    return shown
