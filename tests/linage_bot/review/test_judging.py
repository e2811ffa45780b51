"""The findings of a review: comparable values, and only proven ones called exact."""

import attrs
import pytest

from linage_bot.records.reading import from_sgf
from linage_bot.records.record import BadRecord, Record
from linage_bot.review import review_game, reviewing
from linage_bot.review.judging import opinion
from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS, Player
from linage_bot.rules.history import History
from tests.linage_bot.engine.solver.minimax import Minimax
from tests.linage_bot.review.games import QUICK, RECORDS

EVERY_GAME = sorted(RECORDS)


def record_of(game):
    return from_sgf(RECORDS[game].encode())


@pytest.mark.parametrize("game", EVERY_GAME)
def test_every_move_of_every_game_is_judged(judged, game):
    """Numbers, players, phases and lines fit the game; losses are never negative."""
    found, record = judged(game), record_of(game)
    positions = record.history().positions
    assert [move.move for move in found.moves] == list(record.moves)
    assert [move.number for move in found.moves] == list(range(1, len(record.moves) + 1))
    for move, position in zip(found.moves, positions, strict=False):
        assert move.player is position.to_move
        assert move.win_loss >= 0
        assert (move.score_loss is None) == (not record.game.counts_points)
        assert move.line[0] == move.best
        if move.best == move.move:
            assert (move.win_loss, move.score_loss or 0.0, move.error) == (0.0, 0.0, 0.0)
        else:
            assert len(list(position.moves())) > 1  # a forced move is no mistake
        for line, start in ((move.line, position), (move.reply, position.play(move.move))):
            for step in line:
                start = start.play(step)
    assert set(found.mistakes) <= {move.number for move in found.moves}


def test_a_history_is_reviewed_as_its_record():
    """A game that was just played needs no record; anything else is refused."""
    history = record_of("linage").history()
    found = review_game(history.to(3), QUICK, proof_nodes=0)
    assert found == review_game(Record.of(history.to(3)), QUICK, proof_nodes=0)
    with pytest.raises(TypeError, match="history: expected History, not str"):
        review_game("linage")


@pytest.mark.parametrize("game", EVERY_GAME)
def test_the_same_is_found_again(judged, game):
    """Two reviews with the same visits, seed and one thread are equal."""
    assert review_game(record_of(game), QUICK) == judged(game)


@pytest.mark.parametrize("game", EVERY_GAME)
def test_in_slices_the_same_is_found(judged, game):
    """A review in slices has the same result."""
    found = []

    def kept():
        found.append((yield from reviewing(record_of(game), QUICK, slice_seconds=0.001)))

    assert sum(1 for _ in kept()) > len(record_of(game).moves)
    assert found == [judged(game)]


@pytest.mark.parametrize("slice_seconds", [None, 0.001])
def test_several_positions_at_once_give_the_same_result(judged, slice_seconds):
    """A review that searches three positions at once, in one go or in slices, finds the same."""
    found = []

    def kept():
        record = record_of("gardar")
        more = {"slice_seconds": slice_seconds, "at_once": lambda: 3}
        found.append((yield from reviewing(record, QUICK, **more)))

    list(kept())
    assert found == [judged("gardar")]


def test_another_seed_searches_otherwise(judged):
    """The seed is that of the searches."""
    other = review_game(record_of("gardar"), attrs.evolve(QUICK, seed=2))
    assert other.values != judged("gardar").values


def test_a_loss_is_the_difference_of_two_searches_alike(judged):
    """Best move and move played are valued by a search of the position after each."""
    found = judged("gardar")
    lossy = [move for move in found.moves if move.win_loss > 0]
    assert lossy
    for move in lossy:
        position = found.positions[move.number - 1]
        best, _ = opinion(History.at(position.after(move.best)), QUICK)
        played, _ = opinion(History.at(position.after(move.move)), QUICK)
        difference = best.win_rate_of(move.player) - played.win_rate_of(move.player)
        assert move.win_loss == pytest.approx(difference)
        assert move.score_loss == pytest.approx(
            max(0.0, best.score_of(move.player) - played.score_of(move.player))
        )


def test_an_exact_endgame_agrees_with_all_play():
    """Values, losses and best moves are those of minimax, which plays every game to its end."""
    game = GAMES["linage"].configure("4x3", komi=0.5)
    point = game.board.point
    moves = (point("A1"), point("C3"), PASS, point("C2"), PASS, PASS)
    found = review_game(Record(game, moves), QUICK)
    assert found.exact_from == 0
    for move, position in zip(found.moves, found.positions, strict=False):
        truth = Minimax(position)
        sign = -1 if move.player is Player.SECOND else 1
        value, after = truth.value, truth.moves()[move.move]
        assert move.exact
        assert move.before.score == value - game.komi
        assert move.after.score == after - game.komi
        assert move.score_loss == sign * (value - after)
        assert truth.moves()[move.best] == value
        won, kept = (sign * (v - game.komi) > 0 for v in (value, after))
        assert move.win_loss == float(won and not kept)


def test_a_line_of_an_exact_endgame_loses_nothing(judged):
    """Every move of a proven line keeps the value."""
    found = judged("linage")
    assert found.exact_from == 0
    for move, position in zip(found.moves, found.positions, strict=False):
        for step in move.line:
            position = position.play(step)
        rest = Minimax(position).value if position.empty.bit_count() <= 12 else None
        if rest is not None:
            assert rest - found.record.game.komi == move.before.score


def test_what_is_not_proven_is_not_called_exact(judged):
    """With few nodes for proofs only the end is exact; earlier values are estimates."""
    found = judged("linage", proof_nodes=20)
    start = found.exact_from
    assert 0 < start < len(found.moves)
    for index, value in enumerate(found.values):
        assert value.exact == (index >= start)
        assert value.exact or value.visits > 0
    for move in found.moves:
        assert move.exact == (move.number > start)
    truth = judged("linage").values
    assert found.values[start:] == truth[start:]


def test_without_a_solver_only_the_end_of_the_game_is_exact(judged):
    """Without a solver a search may still prove the winner."""
    found = judged("linage-parity", proof_nodes=0)
    assert found.exact_from == len(found.moves)
    assert not any(move.exact for move in found.moves)
    assert found.values[-2].certain
    assert found.values[-2].win_rate == found.values[-1].win_rate == 0.0
    assert judged("leblin", proof_nodes=0).exact_from is None


def test_games_without_points_are_proven_too(judged):
    """Parity by its nimbers, Leblin by alpha-beta on a small board; a loss is a lost result."""
    leblin = GAMES["leblin"].configure("3")
    moves = tuple(map(leblin.board.point, ("B2", "A1", "C3", "A3", "C1", "B1")))
    for found in (judged("linage-parity"), review_game(Record(leblin, moves), QUICK)):
        assert found.exact_from == 0
        for move in found.moves:
            best, played = move.before.win_rate_of(move.player), move.after.win_rate_of(move.player)
            assert move.exact
            assert move.win_loss == best - played
            assert move.score_loss is None
    assert any(move.win_loss for move in judged("linage-parity").moves)


def test_nobody_is_blamed_for_a_move_that_an_opening_gave(judged):
    """The same blunders cost nothing where the record says that they were given."""
    blamed = judged("linage")
    lossy = [move.number for move in blamed.moves if move.win_loss or move.score_loss]
    given = lossy[-1]
    found = review_game(attrs.evolve(blamed.record, given=given), QUICK)
    assert found.values == blamed.values
    assert found.mistakes == ()
    for move, before in zip(found.moves, blamed.moves, strict=True):
        assert move.given == (move.number <= given)
        if move.given:
            assert (move.win_loss, move.score_loss, move.best) == (0.0, 0.0, move.move)
        else:
            assert move == before
    counted = sum(losses.moves for phase in found.phases for losses in phase.players)
    assert counted == len(found.moves) - given


def test_progress_is_told(judged):
    """Steps are counted up to their number, for proofs and for searches."""
    heard = []
    review_game(record_of("linage"), QUICK, lambda *step: heard.append(step))
    searching = [(done, total) for doing, done, total in heard if doing == "searching"]
    assert searching == [(done, 12) for done in range(13)]
    assert ("proving", 12, 13) in heard
    assert judged("linage").exact_from == 0


@pytest.mark.parametrize("moves", [(), (0, 0)])
def test_a_game_that_cannot_be_judged_is_refused(moves):
    """A record without moves, or with a move against the rules."""
    with pytest.raises(BadRecord):
        review_game(Record(GAMES["linage"].configure("5"), moves), QUICK)
