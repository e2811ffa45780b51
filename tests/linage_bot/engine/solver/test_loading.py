"""Getting the compiled solver in the background."""

import subprocess
import sys


def test_nothing_is_compiled_while_something_is_proven() -> None:
    """Neither for the score nor for what is told of regions, nor to keep it."""
    code = """
import sys, threading
from linage_bot.rules import GAMES
from linage_bot.engine.solver.loading import wait_for_solver
wait_for_solver(threading.Event())
from linage_bot.engine.jit.deferred import Deferred
from linage_bot.engine.solver.effort import Effort
from linage_bot.engine.solver.methods import method_for
from linage_bot.engine.solver.report import report_on
ours = [module for name, module in sys.modules.items() if name.startswith("linage_bot.")]
parts = {name: part for module in ours for name, part in vars(module).items()}
deferred = {name: part for name, part in parts.items() if isinstance(part, Deferred)}
waiting = [name for name, part in deferred.items() if not part.signatures]
print("advance" in waiting)
position = GAMES["linage"].configure("5x4").start()
for _ in range(2):
    with method_for(position) as method:
        print(report_on(method.begin(position), position, Effort()).score.low)
print([name for name in waiting if deferred[name].signatures])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("False\n13\n13\n[]\n", "")
