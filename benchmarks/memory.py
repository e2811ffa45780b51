"""Measure whether a long analysis stays within its limit on memory.

    python benchmarks/memory.py --size 19 --nodes 200000 --minutes 10

Runs `kata-analyze` with ownership and prints the resident memory of the engine, from Linux's /proc,
every half minute.
"""

from __future__ import annotations

import argparse
import subprocess
import threading
import time
from pathlib import Path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--size", default="19")
    parser.add_argument("--nodes", type=int, default=200_000)
    parser.add_argument("--minutes", type=float, default=10)
    arguments = parser.parse_args()
    engine = subprocess.Popen(
        ["linage-bot", "gtp", "--size", arguments.size],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert engine.stdin is not None
    assert engine.stdout is not None
    lines: list[str] = []
    threading.Thread(target=lambda: lines.extend(engine.stdout or ()), daemon=True).start()
    engine.stdin.write(f"kata-set-param maxNodes {arguments.nodes}\n")
    engine.stdin.write("kata-analyze b 50 ownership true\n")
    engine.stdin.flush()
    began = time.monotonic()
    print("| minutes | resident MB | visits of the best move | lines |\n|---|---|---|---|")
    while (minutes := (time.monotonic() - began) / 60) < arguments.minutes:
        visits = lines[-1].split()[4] if lines and lines[-1].startswith("info") else "0"
        megabytes = _resident(engine.pid)
        print(f"| {minutes:.1f} | {megabytes:.0f} | {visits} | {len(lines)} |", flush=True)
        time.sleep(30)
    engine.stdin.write("quit\n")
    engine.stdin.flush()
    engine.wait()


def _resident(pid: int) -> float:
    """Return the resident memory of a process in megabytes."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1000
    return 0.0


if __name__ == "__main__":
    main()
