"""A UGI engine that starts in no time, knows no rules, and misbehaves in every game.

    bad_ugi_engine.py [BEHAVIOUR] ...

It answers its second `go` of a game so (its first is some free point):

    crash    be killed by a signal       exit      exit with status 3
    hang     never answer                illegal   answer the point of its first
    nonsense answer a word, no move      none      answer `bestmove` without a move
    twice    answer twice                flood     write one endless line
    close    close stdout and live on    chatter   write much beside the move, and play on
    leave    pass, and when the game is over exit at the next word

and, beside that: `deaf` ignores quit, SIGTERM and the end of input.
"""

import os
import signal
import sys
import time

POINTS = ("C3", "B2", "D4", "E5", "A5")


def write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def bestmove(behaviours: set[str], played: list[str]) -> str:
    own = len(played) // 2
    if own == 0:
        return next(point for point in POINTS if point not in played)
    if "crash" in behaviours:
        os.kill(os.getpid(), signal.SIGKILL)
    if "exit" in behaviours:
        sys.stderr.write("no more\n")
        os._exit(3)
    if "close" in behaviours:
        os.close(1)
    while behaviours & {"hang", "close"}:
        time.sleep(60)
    while "flood" in behaviours:
        write("x" * 65536)
    if "nonsense" in behaviours:
        return "sideways"
    if "none" in behaviours:
        return ""
    if "twice" in behaviours:
        return "pass\nbestmove pass"
    if "chatter" in behaviours:
        write("hello\ninfo string thinking\ninfo depth 1 nodes 1 pv pass\n" * 50)
        return "pass ponder pass"
    if "leave" in behaviours:
        return "pass"
    return played[0]


def main() -> None:
    behaviours, played, over = set(sys.argv[1:]), [], False
    if "deaf" in behaviours:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        line = sys.stdin.readline()
        words = line.split() or ["quit" if not line else ""]
        if over and "leave" in behaviours:
            os._exit(3)
        if words[0] == "ugi":
            write("id name bad\noption name Size type spin default 5 min 5 max 5\nugiok\n")
        elif words[0] == "isready":
            write("readyok\n")
        elif words[0] == "position":
            played = words[words.index("moves") + 1 :] if "moves" in words else []
        elif words[0] == "go":
            write(f"bestmove {bestmove(behaviours, played)}\n")
        elif words[0] == "query":
            write("response p1win\n")
            over = True
        while words[0] == "quit" and "deaf" in behaviours:
            time.sleep(60)
        if words[0] == "quit":
            return


if __name__ == "__main__":
    main()
