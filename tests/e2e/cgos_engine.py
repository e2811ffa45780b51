"""A GTP engine for tests of the CGOS client; knows no rules; standard library only.

    cgos_engine.py LOG [KEY=VALUE] ...

It appends to the file LOG every line it hears, and "start" when it starts. It takes the points of
`moves` (`A1,B2`, then pass) in turn, those already played left out.

    lacks=NAME,…      commands it does not have
    has=NAME,…        commands it has beside the usual ones
    die=N refuse=N hang=N nonsense=N   at its N-th genmove since it was started, or at any (0)
    die_once=FILE     die at the first genmove unless FILE exists, which is made then
    think=SECONDS     how long a move takes
    id=WORD           its answer to gogui-rules_game_id
"""

import json
import os
import pathlib
import sys
import time

log = pathlib.Path(sys.argv[1]).open("a")  # noqa: SIM115 - until the end
options = dict(word.split("=", 1) for word in sys.argv[2:])
moves = [move for move in options.get("moves", "").split(",") if move]
COMMANDS = {
    *("name", "version", "list_commands", "boardsize", "komi", "clear_board", "play", "genmove"),
    *("time_settings", "time_left", "cgos-opponent_name", "cgos-opponent_rating"),
    *("cgos-gameover", "quit"),
}
COMMANDS |= set(filter(None, options.get("has", "").split(",")))
COMMANDS -= set(options.get("lacks", "").split(","))


def note(line: str) -> None:
    log.write(line + "\n")
    log.flush()


def due(behaviour: str, asked: int) -> bool:
    return behaviour in options and int(options[behaviour]) in (0, asked)


def choose(taken: set[str], asked: int) -> str:
    time.sleep(float(options.get("think", 0)))
    once = options.get("die_once")
    if once is not None and not pathlib.Path(once).exists():
        pathlib.Path(once).touch()
        os._exit(3)
    if due("die", asked):
        os._exit(3)
    while due("hang", asked):
        time.sleep(60)
    if due("nonsense", asked):
        return "sideways"
    return next((move for move in moves if move not in taken), "pass")


def answer(name: str, words: list[str], taken: set[str], asked: int) -> str:
    if name == "list_commands":
        return "= " + "\n".join(sorted(COMMANDS))
    if name not in COMMANDS:
        return "? unknown command"
    if name == "gogui-rules_game_id":
        return f"= {options['id']}"
    if name == "clear_board":
        taken.clear()
    elif name == "play":
        taken.add(words[1])
    elif "genmove" in name:
        if due("refuse", asked):
            return "? I will not"
        move = choose(taken, asked)
        taken.add(move)
        candidate = {"move": move, "winrate": 0.25, "visits": 3, "pv": f"{move} E5"}
        whole = {"winrate": 0.25, "score": -1.5, "visits": 3, "own": [1, 2], "moves": [candidate]}
        return {
            "genmove": f"= {move}",
            "cgos-genmove_analyze": f"=\n{json.dumps(whole)}\nplay {move}",
            "kata-genmove_analyze": f"=\ninfo move {move} visits 3 winrate 0.25 scoreLead -1.5"
            f" prior 0.5 order 0 pv {move} E5\nplay {move}",
            "lz-genmove_analyze": f"=\nthinking\nplay {move}",
        }[name]
    return "= "


def main() -> None:
    taken: set[str] = set()
    asked = 0
    note("start")
    for line in sys.stdin:
        if line.startswith("#") or not line.strip():
            continue
        note(line.strip())
        name, *words = line.split()
        asked += "genmove" in name
        sys.stdout.write(answer(name, words, taken, asked) + "\n\n")
        sys.stdout.flush()
        if name == "quit":
            return


if __name__ == "__main__":
    main()
