"""Loading the compiled solver in the background."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("id_", "size", "margin"),
    [("linage", "5x4", 13), ("linage-parity", "4", 1), ("leblin", "3", 1)],
)
def test_nothing_is_compiled_while_something_is_proven(id_: str, size: str, margin: float) -> None:
    """No code is compiled during a proof, a report on regions or saving."""
    code = """
import sys, threading
from linage_bot.rules import GAMES
from linage_bot.engine.solver.loading import wait_for_solver
position = GAMES[sys.argv[1]].configure(sys.argv[2]).start()
wait_for_solver(position.game, threading.Event())
from linage_bot.engine.jit.lazy_function import LazyFunction
from linage_bot.engine.solver.budgets import SearchBudget
from linage_bot.engine.solver.persistence import regions_kept
from linage_bot.engine.solver.methods import new_arena, solving_in
from linage_bot.engine.solver.report import report_on
ours = [module for name, module in sys.modules.items() if name.startswith("linage_bot.")]
found = [part for module in ours for part in vars(module).values()]
parts = [part for part in found if isinstance(part, LazyFunction)]
deferred = {f"{part.py_func.__module__}.{part.py_func.__name__}": part for part in parts}
waiting = [name for name, part in deferred.items() if not part.dispatcher.signatures]
print("linage_bot.engine.solver.sums.search.advance" in waiting)
for _ in range(2):
    arena = new_arena(position)
    with regions_kept(arena):
        report = report_on(solving_in(arena, position), position, SearchBudget())
    print(f"{report.score.low:g}")
print([name for name in waiting if deferred[name].dispatcher.signatures])
"""
    command = [sys.executable, "-c", code, id_, size]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    in_sums = id_ == "linage"
    told = f"{not in_sums}\n{margin}\n{margin}\n[]\n"
    assert (done.stdout, done.stderr) == (told, "")
