"""A client of `linage-bot analysis`, in KataGo's JSON protocol: a graph of a game's win rates.

    python examples/json_client.py E5 C3 G7 F3

You see a row for each position of the game: Black's win rate in percent and as a bar, and the best
move. One query names all positions, which are searched side by side on all processors.
docs/analysis.md describes every field. Only the standard library is needed, in any language.
"""

import json
import subprocess
import sys
from typing import Any


def query(moves: list[str], visits: int) -> dict[str, Any]:
    """Return a query about the positions before the first move and after each."""
    return {
        "id": "game",
        "rules": "linage",
        "boardXSize": 9,
        "boardYSize": 9,
        "komi": 1.5,
        "moves": [["BW"[number % 2], move] for number, move in enumerate(moves)],
        "analyzeTurns": list(range(len(moves) + 1)),
        "maxVisits": visits,
    }


def answers(asked: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the server's answers in the order of the positions; they come in any order."""
    with subprocess.Popen(
        ["linage-bot", "analysis"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        print(json.dumps(asked), file=server.stdin)
        server.stdin.close()  # after its last answer the server ends; a longer client keeps it open
        found = [json.loads(line) for line in server.stdout]
    for answer in found:
        if "error" in answer:
            sys.exit(answer["error"])
    return sorted(found, key=lambda answer: int(answer["turnNumber"]))


def main(moves: list[str]) -> None:
    """Print a row for each position of a game."""
    for move, answer in zip(["start", *moves], answers(query(moves, visits=5000)), strict=True):
        win_rate = answer["rootInfo"]["winrate"]
        best = next((info["move"] for info in answer["moveInfos"]), "")
        print(f"{move:5} {win_rate:5.1%} {'█' * round(40 * win_rate):40} {best}")


if __name__ == "__main__":
    main(sys.argv[1:])
