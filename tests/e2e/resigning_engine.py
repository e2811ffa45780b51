"""A GTP engine that starts in no time and resigns at its second move: resigning_engine.py LOG.

It appends its process id to LOG.
"""

import os
import sys

POINTS = ("E1", "E2", "E3", "E4", "E5")


def main() -> None:
    with open(sys.argv[1], "a") as log:  # noqa: PTH123 - without site-packages, for speed
        log.write(f"{os.getpid()}\n")
    told, moves = [], 0
    for line in sys.stdin:
        name, *words = line.split()
        answer = ""
        if name == "list_commands":
            answer = "boardsize\nclear_board\nkomi\nplay\ngenmove\nquit"
        elif name == "clear_board":
            told, moves = [], 0
        elif name == "play":
            told.append(words[1].upper())
        elif name == "genmove":
            moves += 1
            free = next(point for point in POINTS if point not in told)
            answer = "resign" if moves == 2 else free
        sys.stdout.write(f"= {answer}\n\n")
        sys.stdout.flush()
        if name == "quit":
            return


if __name__ == "__main__":
    main()
