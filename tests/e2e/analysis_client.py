"""`linage-bot analysis` as a process, and scripts of queries for it that a client might send."""

from __future__ import annotations

import contextlib
import json
import random
import re
import socket
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from typing import Any

import attrs

from linage_bot.rules import GAMES
from linage_bot.rules.game import Game, Position
from tests.e2e.engine import ENVIRONMENT, PATIENCE_SECONDS

COMMAND = [sys.executable, "-m", "linage_bot", "analysis"]
SIZES = {"gardar": ("3", "4")}


def line(**fields: Any) -> bytes:
    return json.dumps(fields).encode() + b"\n"


def answers(script: bytes, *arguments: str) -> list[dict[str, Any]]:
    """All that is said to a script piped in one go, by a process that ends well."""
    done = subprocess.run(
        [*COMMAND, *arguments],
        input=script,
        capture_output=True,
        env=ENVIRONMENT,
        timeout=20 * PATIENCE_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    return [json.loads(each) for each in done.stdout.splitlines()]


@contextlib.contextmanager
def listening(*arguments: str) -> Iterator[int]:
    """The port of a server on the loopback; in the end it may have said nothing of a failure."""
    process = subprocess.Popen(
        [*COMMAND, "--listen", "tcp:0", *arguments], stderr=subprocess.PIPE, env=ENVIRONMENT
    )
    said: list[bytes] = []
    assert process.stderr is not None
    try:
        for first in process.stderr:
            said.append(first)
            if b"listening" in first:
                break
        found = re.search(r"listening on 127\.0\.0\.1 port (\d+)", said[-1].decode())
        assert found, said
        drain = threading.Thread(target=lambda: said.extend(process.stderr or ()), daemon=True)
        drain.start()
        yield int(found[1])
    finally:
        process.terminate()
        process.wait(PATIENCE_SECONDS)
        drain.join(PATIENCE_SECONDS)
        process.stderr.close()
    assert b"Traceback" not in b"".join(said), b"".join(said).decode()


class AnalysisClient:
    """A TCP client."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), 20 * PATIENCE_SECONDS)
        self._file = self.socket.makefile("rb")

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def read(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self._file.readline())
        return found

    def last_answers(self) -> list[dict[str, Any]]:
        """Send no more, and read until the server is through."""
        self.socket.shutdown(socket.SHUT_WR)
        return [json.loads(each) for each in self._file]

    def close(self) -> None:
        self._file.close()
        self.socket.close()

    def __enter__(self) -> AnalysisClient:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


class PipedClient(AnalysisClient):
    """A program whose child the server is."""

    def __init__(self, *arguments: str, **more: Any) -> None:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, **more}
        self.process = subprocess.Popen([*COMMAND, *arguments], env=ENVIRONMENT, **pipes)
        self._file = self.process.stdout

    def send(self, data: bytes) -> None:
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def last_answers(self) -> list[dict[str, Any]]:
        self.process.stdin.close()
        return [json.loads(each) for each in self._file]

    def close(self) -> None:
        self.process.__exit__(None, None, None)


def vertices(game: Game, moves: list[int]) -> list[list[str]]:
    """Moves as a query has them; First begins."""
    names = ["pass" if move < 0 else game.board.vertex(move) for move in moves]
    return [["BW"[number % 2], name] for number, name in enumerate(names)]


def described(game: Game) -> dict[str, Any]:
    """The fields that say which game it is."""
    return {
        "rules": {"game": game.id, **game.settings()},
        "boardXSize": game.board.columns,
        "boardYSize": game.board.rows,
        "komi": game.komi,
    }


def random_game(chooser: random.Random, name: str, size: str) -> tuple[Game, list[int], Position]:
    """Some moves of a game, and the position that they lead to."""
    game = GAMES[name].configure(size)
    position, moves = game.start(), []
    for _ in range(chooser.randrange(2 * game.board.count // 3)):
        placements = [move for move in position.moves() if move >= 0]
        if not placements:
            break
        moves.append(chooser.choice(placements))
        position = position.play(moves[-1])
    return game, moves, position


BAD = (
    ("rules", "chinese"),
    ("moves", [["B", "Z1"]]),
    ("komi", "much"),
    ("boardXSize", 99),
    ("analyzeTurns", [1000]),
    ("maxVisits", -1),
    ("overrideSettings", {"maxTime": "long"}),
)


@attrs.define
class Script:
    """Queries with their expected results."""

    data: bytes = b""
    positions: Counter[tuple[str, int]] = attrs.field(factory=Counter)  # to end once each
    wrong: dict[str, str] = attrs.field(factory=dict)  # the field, by id
    odd: dict[str, str] = attrs.field(factory=dict)
    echoes: Counter[str] = attrs.field(factory=Counter)
    games: dict[str, Position] = attrs.field(factory=dict)  # at the end of each query

    @classmethod
    def of(cls, count: int, seed: int, most_visits: int = 40) -> Script:
        """Make `count` queries over the five games, with actions and errors among them."""
        self, chooser, lines = cls(), random.Random(seed), []
        for number in range(count):
            id_ = f"q{number}"
            name = chooser.choice(list(GAMES))
            size = chooser.choice(SIZES.get(name, ("4", "5", "6", "5x7")))
            game, moves, position = random_game(chooser, name, size)
            fields = {"id": id_, "moves": vertices(game, moves), **described(game)}
            fields |= {"maxVisits": chooser.randint(1, most_visits)}
            fields |= {"priority": chooser.randint(-2, 2)}
            kind = chooser.random()
            if kind < 0.15:
                field, value = chooser.choice(BAD)
                lines.append(line(**fields | {field: value}))
                self.wrong[id_] = field
                continue
            turns = [len(moves)]
            if kind < 0.35:
                turns = chooser.sample(range(len(moves) + 1), min(4, len(moves) + 1))
                fields["analyzeTurns"] = turns
            if kind > 0.9:
                fields["strange"] = number
                self.odd[id_] = "strange"
            if kind > 0.8:
                fields |= {"includeOwnership": True, "includePolicy": True}
            if 0.7 < kind < 0.8:
                fields["reportDuringSearchEvery"] = 0.001
            lines.append(line(**fields))
            self.positions.update((id_, turn) for turn in turns)
            self.games[id_] = position
            if chooser.random() < 0.1:
                name = f"t{number}"
                back = f"q{max(0, number - chooser.randrange(12))}"
                lines.append(line(id=name, action="terminate", terminateId=back))
                self.echoes[name] += 1
            if chooser.random() < 0.03:
                name = chooser.choice(["clear_cache", "query_version"])
                lines.append(line(id=f"a{number}", action=name))
                self.echoes[f"a{number}"] += 1
        self.data = b"".join(lines)
        return self

    def check(self, said: list[dict[str, Any]]) -> None:
        """Each position has ended once, and each error and warning names its field."""
        final = [each for each in said if each.get("isDuringSearch") is False]
        assert Counter((each["id"], each["turnNumber"]) for each in final) == self.positions
        wrong = {each["id"]: each["field"] for each in said if "error" in each}
        assert wrong == self.wrong
        assert len(wrong) == sum("error" in each for each in said)
        assert {each["id"]: each["field"] for each in said if "warning" in each} == self.odd
        assert Counter(each["id"] for each in said if "action" in each) == self.echoes
        for each in final:
            if "noResults" not in each:
                check_result(each, self.games[each["id"]].game)


def check_result(found: dict[str, Any], game: Game) -> None:
    """Check that a result is possible."""
    root, cells = found["rootInfo"], game.board.columns * game.board.rows
    assert 0 <= root["winrate"] <= 1
    assert root["visits"] >= sum(each["visits"] for each in found["moveInfos"])
    assert len(found.get("ownership", [0] * cells)) == cells
    policy = found.get("policy")
    if policy is not None:
        assert len(policy) == cells + 1
        assert (
            sum(share for share in policy if share >= 0) == 0
            or abs(sum(share for share in policy if share >= 0) - 1) < 1e-3
        )
