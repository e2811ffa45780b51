"""`linage-bot analysis` as programs use it: in pipes and on TCP."""

from __future__ import annotations

import signal
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest

from linage_bot import __version__
from linage_bot.rules import GAMES
from linage_bot.rules.game import Game
from protocol.gtp.analysis import parse_analysis
from tests.e2e.analysis_client import (
    COMMAND,
    AnalysisClient,
    PipedClient,
    Script,
    answers,
    described,
    line,
    listening,
    vertices,
)
from tests.e2e.engine import ENVIRONMENT, PATIENCE_SECONDS, popen

EMPTY = {"moves": [], "rules": "linage", "boardXSize": 9, "boardYSize": 9}
ENDLESS = {**EMPTY, "maxVisits": 10**12, "reportDuringSearchEvery": 0.02}


def run_script(count: int, seed: int) -> None:
    script = Script.of(count, seed)
    script.check(answers(script.data, "--threads", "2"))


@pytest.mark.thorough
def test_of_200_queries_in_one_go_every_position_ends_once():
    """Five games, turns, priorities, terminations and errors; nothing is lost at the end."""
    run_script(200, 1)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_of_2000_queries_in_one_go_every_position_ends_once():
    """The same at length."""
    run_script(2000, 2)


@pytest.mark.thorough
def test_three_clients_at_once_are_each_answered_all_they_asked():
    """A TCP client that sends byte by byte and one that vanishes do not disturb a third."""
    with listening("--threads", "2", "--visits", "60") as port:
        scripts = [Script.of(40, seed) for seed in (3, 4)]
        said: dict[int, list[dict[str, Any]]] = {}

        def ask(number: int) -> None:
            with AnalysisClient(port) as client:
                data = scripts[number].data
                for start in range(0, len(data), 997 if number else 1 << 16):
                    client.send(data[start : start + (997 if number else 1 << 16)])
                said[number] = client.last_answers()

        with AnalysisClient(port) as vanishing:
            many = {**ENDLESS, "maxVisits": 60}
            vanishing.send(b"".join(line(id=str(number), **many) for number in range(500)))
            assert vanishing.read()["id"] in ("0", "1")
        threads = [threading.Thread(target=ask, args=(number,)) for number in (0, 1)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20 * PATIENCE_SECONDS)
        for number, script in enumerate(scripts):
            script.check(said[number])


def test_over_the_network_nobody_gets_more_than_the_server_allows():
    """A query beyond the server's limits is refused with the field's name."""
    with listening("--visits", "60") as port, AnalysisClient(port) as client:
        client.send(line(id="a", **{**EMPTY, "maxVisits": 61}))
        assert client.read() == {
            "error": "at most 60 on this server",
            "field": "maxVisits",
            "id": "a",
        }
        client.send(line(id="b", **EMPTY))
        assert client.read()["rootInfo"]["visits"] == 60


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux has a disk that is always full")
def test_results_that_a_full_disk_cannot_take_are_not_lost_in_silence():
    """A full disk is reported in one line and by the exit status."""
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            COMMAND,
            input=line(id="a", action="query_version"),
            stdout=full,
            stderr=subprocess.PIPE,
            env=ENVIRONMENT,
            timeout=PATIENCE_SECONDS,
            check=False,
        )
    assert done.stderr == b"linage-bot: stdout: No space left on device\n"
    assert done.returncode == 1


def test_a_long_analysis_reports_meanwhile_and_is_terminated():
    """A terminated search sends its result so far; a queued one sends `noResults`."""
    with PipedClient("--threads", "1") as client:
        client.send(line(id="long", **ENDLESS))
        partial = [client.read() for _ in range(3)]
        assert all(each["isDuringSearch"] for each in partial)
        visits = [each["rootInfo"]["visits"] for each in partial]
        assert visits == sorted(set(visits))
        client.send(line(id="never", **ENDLESS) + line(id="v", action="query_version"))
        while (version := client.read())["id"] != "v":
            assert version["isDuringSearch"]
        assert version["version"] == __version__
        client.send(line(id="t", action="terminate_all"))
        rest = client.last_answers()
        assert client.process.wait(PATIENCE_SECONDS) == 0
    final = {each["id"]: each for each in rest if each.get("isDuringSearch") is False}
    assert final["never"]["noResults"] is True
    assert final["long"]["rootInfo"]["visits"] >= visits[-1]
    assert rest[-1] == final["long"]


def test_a_signal_ends_it_at_once():
    """A signal ends a long analysis at once, without a traceback."""
    with PipedClient(stderr=subprocess.PIPE) as client:
        client.send(line(id="long", **ENDLESS))
        client.read()
        client.process.send_signal(signal.SIGTERM)
        _, said = client.process.communicate(timeout=PATIENCE_SECONDS)
    assert b"Traceback" not in said, said.decode()


SILENT = {**EMPTY, "maxVisits": 10**12}


@pytest.mark.parametrize(
    ("query", "closed", "options"),
    [
        (SILENT, ("stdin", "stdout"), ()),
        (ENDLESS, ("stdout",), ()),
        (SILENT, ("stdin",), ("-quit-without-waiting",)),
    ],
    ids=["both", "output", "input, told not to wait"],
)
def test_nothing_is_searched_for_a_client_that_is_gone(query, closed, options):
    """A search without end or output still stops when its client is gone."""
    with PipedClient("--threads", "1", *options) as client:
        client.send(line(id="long", **query) + line(id="v", action="query_version"))
        while client.read()["id"] != "v":
            pass
        for name in closed:
            getattr(client.process, name).close()
        assert client.process.wait(PATIENCE_SECONDS) == 0


def test_a_program_written_for_katago_is_served_as_it_is():
    """Started and asked as KataGo; the first line is an answer, for some read no further."""
    foreign = {**EMPTY, "rules": "Chinese", "boardXSize": 6, "boardYSize": 6, "maxVisits": 20}
    query = line(id="0", **foreign, komi=6.5, overrideSettings={"wideRootNoise": 0.04})
    katago = ["-config", "analysis.cfg", "-model", "model.bin.gz"]
    (found,) = answers(query, "--game", "linage", "--komi", "1.5", *katago)
    assert [each["field"] for each in found["warnings"]] == ["rules", "komi", "overrideSettings"]
    assert found["moveInfos"][0]["visits"] > 0


class Gtp:
    """The engine over GTP, to compare its analysis."""

    def __init__(self, engine: subprocess.Popen[bytes]) -> None:
        self._engine = engine

    def line_about(self, game: Game, moves: list[list[str]], awaited: str) -> str:
        """A line of `kata-analyze` about a game: one with this word, but not among the first."""
        options = [f"{name}={value}" for name, value in game.settings().items()]
        options += [f"size={game.board.size}", f"komi={game.komi:g}"]
        self._ask("clear_board")
        self._ask(" ".join(["linage-game", game.id, *options]))
        for colour, vertex in moves:
            self._ask(f"play {colour} {vertex}")
        self._send("kata-analyze b 1 ownership true")
        seen, told = 0, ""
        while seen < 4 or awaited not in told:
            told = self._engine.stdout.readline().decode()
            seen += told.startswith("info")
        self._send("")
        while self._engine.stdout.readline() != b"\n":
            pass
        return told

    def _send(self, words: str) -> None:
        self._engine.stdin.write(words.encode() + b"\n")
        self._engine.stdin.flush()

    def _ask(self, words: str) -> None:
        self._send(words)
        assert self._engine.stdout.readline() == b"= \n", words
        self._engine.stdout.readline()


SEARCHED = {  # out of reach of a proof: size, moves
    "linage": ("9", 6),
    "linage-two-color": ("9", 5),
    "linage-parity": ("9", 4),
    "leblin": ("9", 3),
    "gardar": ("5", 4),
}
SEED = 7


def some_moves(game: Game, count: int) -> list[list[str]]:
    position, moves = game.start(), []
    for number in range(count):
        moves.append(position.moves()[(17 * number + 5) % len(position.moves())])
        position = position.play(moves[-1])
    return vertices(game, moves)


@pytest.mark.thorough
def test_the_values_are_those_of_kata_analyze():
    """With the same seed and visits all values are equal, in every game, proven ones too.

    Moves, rates, leads, variations and ownership are the same numbers.
    """
    compared, queries = {}, []
    small = GAMES["linage"].configure("5")
    with popen("--seed", str(SEED)) as engine:
        gtp = Gtp(engine)
        for name, (size, count) in SEARCHED.items():
            game = GAMES[name].configure(size)
            moves = some_moves(game, count)
            compared[name] = told = parse_analysis(gtp.line_about(game, moves, "ownership"))
            visits = sum(each.visits for each in told.candidates)
            more = {"maxVisits": visits, "includeOwnership": True}
            queries.append(line(id=name, moves=moves, **described(game), **more))
        words = gtp.line_about(small, [], "exactRootLead").split()
        engine.communicate(b"quit\n", PATIENCE_SECONDS)
    lead = float(words[words.index("exactRootLead") + 1])
    rest = {**described(small), "maxVisits": 500}
    proven = [["B", "C3"], ["W", "B2"], ["B", "D4"]]
    queries.append(line(id="table", moves=[], **rest))
    queries.append(line(id="proof", moves=proven, **rest))
    queries.append(line(id="over", moves=[["B", "pass"], ["W", "pass"]], **rest))
    found = {each["id"]: each for each in answers(b"".join(queries), "--seed", str(SEED))}
    for name, told in compared.items():
        assert [_numbers(each) for each in found[name]["moveInfos"]] == [
            (each.move, each.visits, each.winrate, each.score_lead, each.score_spread, each.pv)
            for each in told.candidates
        ]
        assert tuple(found[name]["ownership"]) == told.ownership
    root = found["table"]["rootInfo"]
    assert root["exactLead"] == root["scoreLead"] == lead
    root, (first, *_) = found["proof"]["rootInfo"], found["proof"]["moveInfos"]
    assert root["exactLead"] == root["scoreLead"] == first["exactLead"]
    assert (first["order"], first["exactWinrate"]) == (0, root["exactWinrate"])
    # Where the game is over nothing is left to search, and all is known.
    root = found["over"]["rootInfo"]
    assert found["over"]["moveInfos"] == []
    assert (root["exactWinrate"], root["winrate"]) == (0, 0)
    assert root["exactLead"] == root["scoreLead"] == -small.komi


def _numbers(info: dict[str, Any]) -> tuple[Any, ...]:
    names = ("move", "visits", "winrate", "scoreLead", "scoreStdev")
    return (*(info[name] for name in names), tuple(info["pv"]))
