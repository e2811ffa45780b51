"""A GTP or UGI engine that reports searches of the empty 5x5 board; standard library only.

    analysing_engine.py gtp|ugi [BEHAVIOUR]

A search reports C3 and D4, with 100 visits more each time, until it is stopped. Behaviours:

    lz         knows lz-analyze in place of kata-analyze      plain     cannot analyse
    refuse     refuses to analyse, or the position in UGI     hang      never answers
    die        exits with status 3 after the first report     deaf      ignores what stops it
    nonsense   reports what makes no sense                    illegal   reports an illegal move
    forgetful  stops, but forgets what ends its answer        silent    reports once
    mute       in UGI, reports nothing
"""

import os
import queue
import sys
import threading
import time

PROTOCOL, BEHAVIOUR = (*sys.argv[1:], "")[:2]
LINES = queue.Queue()  # an empty one at the end of the input


def write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def report(visits: int) -> str:
    if BEHAVIOUR == "nonsense":
        return f"info {'score cp' if PROTOCOL == 'ugi' else 'move C3 visits'} many pv C3"
    move = "Z9" if BEHAVIOUR == "illegal" else "C3"
    if PROTOCOL == "ugi":
        best = f"info depth 2 multipv 1 nodes {visits} score cp 150 wdl 600 100 300 pv {move} B2"
        return f"info string working\n{best}\ninfo multipv 2 nodes {visits} score cp -50 pv D4"
    if BEHAVIOUR == "lz":
        return f"info move {move} visits {visits} winrate 6000 prior 1 order 0 pv {move} B2"
    best = f"info move {move} visits {visits} winrate 0.6 scoreLead 1.5 order 0 pv {move} B2"
    return f"info move D4 visits 0 winrate 0.4 scoreLead -0.5 order 1 pv D4 {best}"


def stopped() -> bool:
    try:
        line = LINES.get(timeout=0.01)
    except queue.Empty:
        return False
    if not line:
        os._exit(0)
    return BEHAVIOUR != "deaf" and (PROTOCOL == "gtp" or line.strip() == "stop")


def search() -> None:
    while BEHAVIOUR == "hang":
        time.sleep(60)
    visits = 0
    while not stopped():
        if not visits or BEHAVIOUR not in ("silent", "mute"):
            visits += 100
            write("" if BEHAVIOUR == "mute" else f"{report(visits)}\n")
        if BEHAVIOUR == "die":
            os._exit(3)
    while BEHAVIOUR == "forgetful":
        time.sleep(60)


def gtp(name: str) -> str:
    if name == "list_commands":
        last = {"lz": "lz-analyze", "plain": ""}.get(BEHAVIOUR, "kata-analyze")
        return f"= name\nboardsize\nclear_board\nplay\ngenmove\n{last}\n\n"
    if name.endswith("analyze"):
        if BEHAVIOUR == "refuse":
            return "? refused on purpose\n\n"
        write("=\n")
        search()
        return "\n"
    return "= C3\n\n" if name == "genmove" else "=\n\n"


def ugi(name: str) -> str:
    if name == "ugi":
        option = "option name Some Hash type spin default 16 min 1 max 64"
        style = "option name Style type combo default calm var calm var wild"
        return f"id name Searcher\n{option}\n{style}\nugiok\n"
    if name == "position" and BEHAVIOUR == "refuse":
        return "info string error: refused on purpose\n"
    if name == "go" and BEHAVIOUR == "refuse":
        return "bestmove 0000\n"
    if name == "go":
        search()
        return "bestmove C3\n"
    return {"isready": "readyok\n", "query": "response none\n"}.get(name, "")


def read() -> None:
    for line in sys.stdin:
        LINES.put(line)
    LINES.put("")


threading.Thread(target=read, daemon=True).start()
for command in iter(LINES.get, ""):
    words = command.split() or [""]
    if words[0] == "quit":
        break
    if not words[0].startswith("#"):
        write({"gtp": gtp, "ugi": ugi}[PROTOCOL](words[0]))
