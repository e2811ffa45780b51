"""Many games in a table of pandas: which player loses how much, in which part of the game.

    pip install pandas
    linage-bot match configs/first-match.toml
    python examples/batch_analysis.py runs/first-match

You see each player's mean loss of win rate by phase, and the worst moves of all games. `moves.csv`
has a row for each move, for a spreadsheet. The games are searched side by side on all processors:
the search runs outside of Python's lock, so threads are enough.
"""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pandas as pd

from linage_bot import PlaySettings, read_sgf, review_game

SETTINGS = PlaySettings(visits=2000, seed=1)  # more visits make the figures more accurate


def moves_of(file: Path) -> pd.DataFrame:
    """Return a row for each move that a player chose in a recorded game."""
    record = read_sgf(file)
    review = review_game(record, SETTINGS)
    return pd.DataFrame(
        {
            "game": file.stem,
            "number": move.number,
            "player": record.players[move.player],
            "phase": move.phase,
            "move": record.game.name_of(move.move),
            "best": record.game.name_of(move.best),
            "loss": move.win_loss,
            "error": move.error,
        }
        for move in review.moves
        if not move.given
    )


def main(folder: Path) -> None:
    """Analyse the games of a folder, print tables and save the moves."""
    with ThreadPoolExecutor() as pool:
        moves = pd.concat(pool.map(moves_of, sorted(folder.glob("*.sgf"))), ignore_index=True)
    moves.to_csv(folder / "moves.csv", index=False)
    print("Win rate lost by a move, in percent:\n")
    phases = moves.pivot_table(values="loss", index="player", columns="phase", sort=False)
    print((100 * phases).round(1))
    print("\nThe worst moves:\n")
    print(moves.nlargest(5, "loss").round(2).to_string(index=False))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
