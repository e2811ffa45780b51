"""An instant GTP engine that plays legal moves of our games, and misbehaves on request.

    match_engine.py [seed=N|any] [log=FILE] [without=COMMAND,...] [BEHAVIOUR[=MOVE]] ...

It plays a random legal placement, or passes when there is none. A behaviour shows at the request
for its own move number MOVE of a game, counted from 1 (1 if left out):

    illegal    answer the point A1 even if occupied, and an occupied point before
    nonsense   answer a word that is no move
    refuse     answer with `?`
    resign     resign
    crash      be killed by a signal
    exit       exit with status 3 after a word on stderr
    hang       never answer
    slow       answer after a second
    garbage    write text that is not GTP
    flood      write without end
    deny       refuse the opponent's move
    offer=TEXT answer pie_offer so, in place of a fair offer
    choose=TEXT answer pie_choose so, in place of white
    boast      claim to have won by 99 at the end
    deaf       ignore quit, SIGTERM and the end of input
    child      start a process that never ends, and log its process id
    leave=NAME exit with status 3 in place of an answer to the command after NAME
    babble=NAME answer that command with text that is no answer
"""

import os
import random
import signal
import subprocess
import sys
import time

from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS, IllegalMove
from linage_bot.rules.options import BadOption

COMMANDS = (
    "name version protocol_version list_commands known_command quit boardsize clear_board komi play"
    " genmove final_score linage-game pie_offer pie_choose time_settings time_left"
    " rectangular_boardsize echo fail"
)


class Engine:
    def __init__(self, options):
        self.options = options
        self.commands = set(COMMANDS.split()) - set(options.get("without", "").split(","))
        self.game = GAMES["linage"].configure("5")
        self.clear_board()
        self.log = open(options["log"], "a", buffering=1) if "log" in options else None  # noqa: SIM115, PTH123

    def clear_board(self):
        self.position = self.game.start()
        self.own_moves = 0
        # Reset for every game, so that a game does not depend on those before it.
        seed = self.options.get("seed", "0")
        self.random = random.Random(None if seed == "any" else seed)

    def due(self, behaviour):
        at = self.options.get(behaviour)
        return at is not None and self.own_moves == int(at or 1)

    def answer(self, name, words):
        if name not in self.commands:
            return "? unknown command"
        if name == "list_commands":
            return "= " + "\n".join(sorted(self.commands))
        if name == "clear_board":
            self.clear_board()
        elif name == "linage-game":
            values = dict(word.split("=") for word in words[1:])
            size, komi = values.pop("size", None), values.pop("komi", None)
            try:
                self.game = GAMES[words[0]].configure(
                    size, None if komi is None else float(komi), values
                )
            except BadOption as error:
                return f"? {error}"
            self.clear_board()
        elif name.endswith("boardsize"):
            size = words[0] if len(words) == 1 else "x".join(words)
            try:
                board = self.game.board_kind.of_array(*map(int, (words * 2)[:2]))
                self.game = type(self.game).configure(board.size, None, self.game.settings())
            except BadOption:
                return f"? unacceptable size {size}"
            self.clear_board()
        elif name == "play":
            self.own_moves += 1
            denied = self.due("deny")
            self.own_moves -= 1
            if denied:
                return "? illegal move"
            move = PASS if words[1] == "pass" else self.game.board.point(words[1])
            try:
                self.position = self.position.play(move)
            except IllegalMove as error:
                return f"? illegal move {error}"
        elif name == "genmove":
            return self.genmove()
        elif name == "final_score":
            return "= B+99" if "boast" in self.options else f"= {self.position.result()}"
        elif name == "pie_offer":
            fair = {"komi": "2", "stone": "C3"}.get(self.game.pie)
            return f"= {self.options.get('offer', fair)}"
        elif name == "pie_choose":
            return f"= {self.options.get('choose', 'white')}"
        elif name == "fail":
            return "? failed"
        elif name in ("name", "version"):
            return "= Match"
        return "= "

    def genmove(self):
        self.own_moves += 1
        if self.due("illegal"):
            stones = self.game.board.vertices(self.position.stones)
            return f"= {stones[0] if stones else 'Z9'}"
        for behaviour, reply in (
            ("nonsense", "= sideways"),
            ("refuse", "? I will not"),
            ("resign", "= resign"),
            ("garbage", "Welcome to the shell!\n$"),
        ):
            if self.due(behaviour):
                return reply
        if self.due("crash"):
            os.kill(os.getpid(), signal.SIGKILL)
        if self.due("exit"):
            print("leaving on purpose", file=sys.stderr, flush=True)
            os._exit(3)
        if self.due("slow"):
            time.sleep(1)
        if self.due("child"):
            child = subprocess.Popen(["sleep", "1234"])
            print(f"{child.pid} is a child", file=self.log)
        while self.due("hang"):
            time.sleep(60)
        while self.due("flood"):
            sys.stdout.write("x" * 65536)
        if self.position.over:
            return "= pass"
        moves = self.position.moves()
        placements = [move for move in moves if move != PASS]
        move = self.random.choice(placements) if placements else PASS
        name = self.position.name_of(move)
        self.position = self.position.after(move)
        return f"= {name}"


def main():
    options = dict(word.partition("=")[::2] for word in sys.argv[1:])
    engine = Engine(options)
    if "deaf" in options:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    last = ""
    for line in sys.stdin:
        before, (name, *words) = last, line.split()
        last = name
        if before and before == options.get("leave"):
            os._exit(3)
        if before and before == options.get("babble"):
            print("hello there", flush=True)
        if engine.log:
            print(f"{os.getpid()} {line.strip()}", file=engine.log)
        sys.stdout.write(engine.answer(name, words) + "\n\n")
        sys.stdout.flush()
        if name == "quit" and "deaf" not in options:
            return
    while "deaf" in options:
        signal.pause()


if __name__ == "__main__":
    main()
