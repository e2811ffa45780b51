"""A GTP engine that starts in no time, knows no rules, and misbehaves in every game.

    bad_engine.py BEHAVIOUR ...

It answers its second `genmove` of a game so (its first is some free point):

    crash      be killed by a signal           exit      exit with status 3
    hang       never answer                    slow      answer after 0.6 seconds
    illegal    answer the point of its first   nonsense  answer a word that is no move
    refuse     answer with `?`                 deny      refuse the opponent's first move
    garbage    write text that is not GTP      twice     answer twice
    flood      write one endless line          lines     write lines without end
    chatter    write to stderr without end
    unended    forget the empty line that ends the answer
    close      close stdout and live on
    child      start processes that never end, beside other behaviours

and, beside that: `deaf` ignores quit, SIGTERM and the end of input.
"""

import os
import signal
import subprocess
import sys
import time

POINTS = ("C3", "B2", "D4")
told: list[str] = []
own: list[str] = []


def write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def genmove(behaviours: set[str]) -> str:
    if not own:
        own.append(next(point for point in POINTS if point not in told))
        return f"= {own[0]}"
    if "child" in behaviours:
        for _ in range(2):
            subprocess.Popen(["sh", "-c", "trap '' TERM HUP; sleep 1234; true"])
    if "crash" in behaviours:
        os.kill(os.getpid(), signal.SIGKILL)
    if "exit" in behaviours:
        os._exit(3)
    if "close" in behaviours:
        os.close(1)
    while behaviours & {"hang", "close"}:
        time.sleep(60)
    while "flood" in behaviours:
        write("x" * 65536)
    while "lines" in behaviours:
        write("= spam\n" * 8192)
    while "chatter" in behaviours:
        sys.stderr.write("thinking hard\n" * 4096)
    if "unended" in behaviours:
        write(f"= {own[0]}\n")
        time.sleep(60)
    if "slow" in behaviours:
        time.sleep(0.6)
    if "refuse" in behaviours:
        return "? I will not"
    if "garbage" in behaviours:
        return "Welcome to the shell!\n$"
    if "nonsense" in behaviours:
        return "= sideways"
    if "twice" in behaviours:
        return "= E5\n\n= E1"
    return f"= {own[0]}"


def main() -> None:
    behaviours = set(sys.argv[1:])
    if "deaf" in behaviours:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for line in sys.stdin:
        name, *words = line.split()
        answer = "= "
        if name == "list_commands":
            answer = "= list_commands\nboardsize\nclear_board\nkomi\nplay\ngenmove\nquit"
        elif name == "clear_board":
            told.clear()
            own.clear()
        elif name == "play":
            told.append(words[1].upper())
            if "deny" in behaviours and len(told) == 1:
                answer = "? illegal move"
        elif name == "genmove":
            answer = genmove(behaviours)
        write(answer + "\n\n")
        if name == "quit" and "deaf" not in behaviours:
            return
    while "deaf" in behaviours:
        time.sleep(60)


if __name__ == "__main__":
    main()
