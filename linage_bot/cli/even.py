"""The output of `linage-bot solve --fair-komi`: the even komi or first stone."""

import itertools
import json
import sys

import attrs

from linage_bot.cli.options import UserError
from linage_bot.engine.pie.fair import EvenKomi, Trial, known_komi, known_stones, stone_classes
from linage_bot.engine.pie.selfplay import SelfPlay
from linage_bot.rules.game import Game, Position


def even_report(game: Game, games: int | None, visits: int, *, as_json: bool) -> str:
    """Return the even opening of the game as text or JSON.

    It comes from the shipped tables if `games` is None, else from that many games played now. Raise
    `UserError` for a game without a pie, and if nothing is known.
    """
    if game.pie == "none":
        raise UserError(
            f"--fair-komi: {game.name} has no pie rule, so there is nothing to make even"
        )
    if game.pie == "komi":
        komi = known_komi(game) if games is None else _played(game, visits).even_komi(game, games)
        if komi is not None:
            known = {"exact": komi.exact} | attrs.asdict(komi)
            return json.dumps(known) if as_json else _komi_words(game, komi)
    else:
        trials = known_stones(game) if games is None else _trials(game, games, visits)
        if trials:
            return _stones_json(game, trials) if as_json else _stones_words(game, trials)
    raise UserError(
        f"--fair-komi: not known for {game.name} {game.board}; estimate it with --games N"
    )


def _played(game: Game, visits: int) -> SelfPlay:
    counts = itertools.count(1)

    def played(_position: Position) -> None:
        count = next(counts)
        if sys.stderr.isatty() or count % 20 == 0:
            sys.stderr.write(f"{game.name} {game.board}: {count} games\n")

    return SelfPlay(visits, played=played)


def _trials(game: Game, games: int, visits: int) -> tuple[Trial, ...]:
    play = _played(game, visits)
    return tuple(play.trial(game, alike[0], games) for alike in stone_classes(game))


def _komi_words(game: Game, komi: EvenKomi) -> str:
    first, _second = game.players
    title = f"{game.name} {game.board}: fair komi {komi.komi:g}"
    if komi.exact:
        return f"{title}, exact: under best play a draw, or as close as the komi can be set"
    if komi.games == 0:
        return f"{title}, proven up to half a point, the value of the button"
    return (
        f"{title}, an estimate: the mean of {komi.games} games of the engine against itself\n"
        f"at {komi.visits} visits per move, in which each win of {first} raised the komi by a point"
        f" and each loss lowered it; standard error {komi.error:.1f} points"
    )


def _stones_json(game: Game, trials: tuple[Trial, ...]) -> str:
    stones = [
        {"stone": game.board.vertex(each.stone), "games": each.games, "first_wins": each.first_wins}
        for each in trials
    ]
    return json.dumps({"exact": False, "stones": stones})


def _stones_words(game: Game, trials: tuple[Trial, ...]) -> str:
    """Return the classes of first stones as text, the most even first."""
    first = game.players[0]
    lines = [
        f"{game.name} {game.board}: {first}'s share of wins after each first stone, the most even",
        "stone first; an estimate from games of the engine against itself",
    ]
    for each in sorted(trials, key=lambda trial: abs(trial.first_wins - 0.5)):
        alike = next(stones for stones in stone_classes(game) if each.stone in stones)
        names = " ".join(game.board.vertex(stone) for stone in alike)
        lines.append(f"{each.first_wins:.0%} ± {each.error:.0%} of {each.games} games: {names}")
    return "\n".join(lines)
