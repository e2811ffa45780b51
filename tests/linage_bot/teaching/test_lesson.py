"""Every lesson is played by the real rules, and what its texts claim is checked by slow ones."""

import re
from collections.abc import Callable

import pytest

from linage_bot.rules import GAMES
from linage_bot.rules.boards import LETTERS, bits
from linage_bot.rules.game import PASS, Game, Move, Player, Position
from linage_bot.teaching import Answer, Lesson, Step, answer, lesson_of
from linage_bot.teaching.diagrams import labels, shown, size_of
from tests.linage_bot.rules import slow_rules as slow
from tests.linage_bot.rules.slow_rules import HEXAGON, SQUARE, XY

each_game = pytest.mark.parametrize("id_", GAMES)


def taught(id_: str) -> Lesson:
    lesson = lesson_of(GAMES[id_])
    assert lesson is not None
    return lesson


def moves(step: Step) -> list[Move]:
    """All that a learner can click, and the pass where there is one."""
    position = step.position
    return [*bits(position.game.board.points), *((PASS,) if position.may_pass() else ())]


def answers(step: Step) -> dict[Move, Answer]:
    return {move: answer(step, move) for move in moves(step)}


def right(step: Step) -> set[str]:
    """Return the names of the right moves."""
    return {step.position.name_of(move) for move, told in answers(step).items() if told.right}


def all_words(step: Step) -> str:
    told = (each.words for each in answers(step).values())
    return " ".join({step.words, step.task, *told})


@each_game
def test_a_lesson_has_five_steps_from_real_positions(id_: str) -> None:
    """No step's position is over or impossible, and each step has a task and a text."""
    lesson = taught(id_)
    assert lesson.game is GAMES[id_]
    assert len(lesson.steps) == 5
    assert len({step.title for step in lesson.steps}) == 5
    for step in lesson.steps:
        assert isinstance(step.position.game, GAMES[id_])
        assert not step.position.over
        assert step.position.why_impossible() is None
        assert step.words
        assert step.task
        assert right(step)


@each_game
def test_a_move_goes_on_only_as_the_rules_have_it(id_: str) -> None:
    """Right moves are legal and show their result; illegal ones show the rule's own reason.

    If a step wants an illegal stone, the rules refuse it.
    """
    for step in taught(id_).steps:
        for move, told in answers(step).items():
            obstacle = step.position.obstacle(move)
            assert told.words
            if obstacle is not None:
                assert told.words.lower().startswith(obstacle.reason.lower())
                assert told.points == obstacle.points
                assert told.after is None
                assert told.right is (step.wanted is None and bool(step.position.empty >> move & 1))
            elif told.right:
                after = step.position.play(move)
                for reply in step.replies:
                    after = after.play(reply)
                assert told.after == after
            else:
                assert told.after is None
                assert told.points == 0


@each_game
def test_a_wrong_move_does_not_count_as_done(id_: str) -> None:
    """In every step most moves are wrong and get their own explanation."""
    for step in taught(id_).steps:
        wrong = [told for told in answers(step).values() if not told.right]
        assert len(wrong) > len(right(step))
        assert not {told.words for told in wrong} & {
            told.words for told in answers(step).values() if told.right
        }


@each_game
def test_points_that_are_named_are_on_the_board(id_: str) -> None:
    """Every point named in a lesson is on its board."""
    for step in taught(id_).steps:
        for vertex in re.findall(rf"\b[{LETTERS}]\d+\b", all_words(step)):
            step.position.game.board.point(vertex)
        if step.last:
            point = step.position.game.board.point(step.last)
            assert step.position.enemy >> point & 1


@each_game
def test_new_words_are_explained_once(id_: str) -> None:
    """New words have asterisks exactly once, where they first occur."""
    words = re.findall(r"\*(\w+)\*", " ".join(step.words for step in taught(id_).steps))
    assert words
    assert len(set(words)) == len(words)
    assert not any("*" in each.task for each in taught(id_).steps)
    assert not any("*" in told.words for s in taught(id_).steps for told in answers(s).values())


def test_a_game_without_a_lesson_has_none() -> None:
    """A game without a lesson, such as a new one, has None."""

    class Added(Game):
        __module__ = "linage_bot.rules.added"

    assert lesson_of(Added) is None


# Claims of the texts, checked by slow rules ------------------------------------------------------


def placed(step: Step, move: Move) -> tuple[set[XY], set[XY], set[XY], XY]:
    """Own stones, enemy stones and empty points before the move, and where it goes."""
    board = step.position.game.board
    return *slow.own_enemy_empty(step.position), (move % board.columns, move // board.columns)


def right_where(step: Step, holds: Callable[[set[XY], set[XY], set[XY], XY], bool]) -> None:
    """A placement is right exactly where a slow rule says so; a pass never is."""
    for move in bits(step.position.empty):
        assert answer(step, move).right is holds(*placed(step, move)), step.position.name_of(move)
    if step.position.may_pass():
        assert not answer(step, PASS).right


def cuts(parts: int) -> Callable[[set[XY], set[XY], set[XY], XY], bool]:
    return lambda _own, _enemy, empty, xy: len(slow.parts(empty - {xy}, SQUARE)) == parts


@pytest.mark.parametrize("id_", ["linage", "linage-two-color", "linage-parity"])
def test_the_first_step_cuts_the_board(id_: str) -> None:
    """A right move cuts the region in two halves, which meet in D4."""
    step = taught(id_).steps[0]
    assert len(slow.parts(placed(step, 0)[2], SQUARE)) == 1
    right_where(step, cuts(2))
    assert right(step) == {"C4", "D4", "E4"}
    assert "its halves are joined at D4" in step.words


@pytest.mark.parametrize("id_", ["linage", "linage-two-color"])
def test_the_second_step_takes_the_last_line_of_the_rows(id_: str) -> None:
    """Rows have the one line that is named, columns have several, and Vertical owns it after."""
    step = taught(id_).steps[1]
    empty = placed(step, 0)[2]
    assert {xy for xy in empty if {xy, (xy[0] + 1, xy[1]), (xy[0] + 2, xy[1])} <= empty} == {(0, 2)}
    assert "A3 B3 C3" in step.words
    upright = [xy for xy in empty if {xy, (xy[0], xy[1] + 1), (xy[0], xy[1] + 2)} <= empty]
    assert len(upright) > 2

    def only_vertical(_own: set[XY], _enemy: set[XY], empty: set[XY], xy: XY) -> bool:
        regions = slow.parts(empty - {xy}, SQUARE)
        return all(slow.owner(region, 3) == "vertical" for region in regions)

    right_where(step, only_vertical)
    assert right(step) == {"A3", "B3", "C3"}


def test_linage_owner() -> None:
    """A right move makes the bottom Horizontal's, with the number of points in the text."""
    step = taught("linage").steps[2]
    assert step.position.to_move is Player.SECOND

    def owned(_own: set[XY], _enemy: set[XY], empty: set[XY], xy: XY) -> bool:
        return "horizontal" in {slow.owner(part, 3) for part in slow.parts(empty - {xy}, SQUARE)}

    right_where(step, owned)
    assert right(step) == {"C2", "C3"}
    for move, told in answers(step).items():
        if told.right:
            _, _, empty, xy = placed(step, move)
            regions = slow.parts(empty - {xy}, SQUARE)
            (mine,) = (each for each in regions if slow.owner(each, 3) == "horizontal")
            assert f"owns its {len(mine)} points" in told.words
            assert max(row for _, row in mine) == 1  # the bottom


@pytest.mark.parametrize("id_", ["linage", "linage-two-color"])
def test_the_refused_stone_strands_a_region(id_: str) -> None:
    """The frame is around what would have no line."""
    step = taught(id_).steps[3]
    right_where(step, lambda _own, _enemy, empty, xy: slow.strands(empty, xy, 3))
    assert right(step) == {"B1", "C1"}
    board = step.position.game.board
    assert board.vertices(answer(step, board.point("C1")).points) == ["A1", "B1"]


def final(step: Step) -> Position:
    """The end of a lesson that ends with two passes; no placement may be right before."""
    assert right(step) == {"pass"}
    after = answer(step, PASS).after
    assert after is not None
    assert after.over
    return after


def test_linage_count() -> None:
    """The final count is Vertical 6, Horizontal 10 and komi, with no placement left."""
    step = taught("linage").steps[4]
    end = final(step)
    assert not step.position.placements()
    regions = slow.parts(slow.own_enemy_empty(end)[2], SQUARE)
    owned = {"vertical": 0, "horizontal": 0, "free": 0}
    for region in regions:
        owned[slow.owner(region, 3)] += len(region)
    assert owned == {"vertical": 6, "horizontal": 10, "free": 0}
    assert str(end.result()) == "W+4.5"
    assert answer(step, PASS).words == (
        "Vertical has 6 points, Horizontal 10 and komi 0.5, 10.5 in all: Horizontal wins by 4.5."
    )


def two_color_stones(position: Position, player: Player) -> int:
    """The stones of groups next to a region that the player owns."""
    board = position.game.board
    stones = slow.cells(board, (position.first, position.second)[player])
    empty = slow.cells(board, position.empty)
    name = ("vertical", "horizontal")[player]
    owned = [part for part in slow.parts(empty, SQUARE) if slow.owner(part, 3) == name]
    mine = set().union(*owned)
    return sum(
        len(group)
        for group in slow.parts(stones, SQUARE)
        if any(slow.around(stone, SQUARE) & mine for stone in group)
    )


def test_two_color_owner() -> None:
    """Three stones score before, six after the right move, and the words say how many else."""
    step = taught("linage-two-color").steps[2]
    assert two_color_stones(step.position, Player.FIRST) == 3
    for move in step.position.moves():
        after, told = step.position.play(move), answer(step, move)
        scored = two_color_stones(after, Player.FIRST)
        assert told.right is (scored == after.first.bit_count())
        if move != PASS:
            assert f"{scored} points" in told.words
    assert right(step) == {"D3"}
    assert "6 points" in answer(step, step.position.game.board.point("D3")).words


def test_two_color_count() -> None:
    """18 against 13 and komi; no placement is left, and the stones that are named count nothing."""
    step = taught("linage-two-color").steps[4]
    end = final(step)
    assert not step.position.placements()
    assert [two_color_stones(end, player) for player in Player] == [18, 13]
    assert answer(step, PASS).words == (
        "Vertical scores 18 stones, Horizontal 13 and komi 0.5: Vertical wins by 4.5."
    )
    board = end.game.board
    for vertex, stones in (("G4", end.first), ("A1", end.second)):
        group = board.flood(1 << board.point(vertex), stones)
        touched = board.neighbours(group) & end.empty
        owners = {area.owner for area in end.areas() if area.points & touched}
        assert group
        assert Player(stones is end.second) not in owners


def test_parity_steps() -> None:
    """Odd is First's; the ends of narrow regions change nothing; a last point stays empty."""
    steps = taught("linage-parity").steps
    before = [len(slow.parts(placed(step, 0)[2], SQUARE)) for step in steps]
    assert before == [1, 2, 3, 2, 5]
    right_where(steps[1], lambda _o, _e, empty, xy: len(slow.parts(empty - {xy}, SQUARE)) % 2 == 1)
    assert "F3" in right(steps[1])
    right_where(steps[2], cuts(3))
    for step in steps[1:3]:
        for move in bits(step.position.placements()):
            _, _, empty, xy = placed(step, move)
            count = len(slow.parts(empty - {xy}, SQUARE))
            name = "odd, so First" if count % 2 else "even, so Second"
            assert f"{count} regions: {name} is ahead." in answer(step, move).words
    right_where(steps[3], lambda _o, _e, empty, xy: not slow.parity_allows(empty, xy, 0))
    assert right(steps[3]) == {"A1"}
    end = final(steps[4])
    assert not steps[4].position.placements()
    assert str(end.result()) == "B+"
    assert answer(steps[4], PASS).words.startswith("5 regions: the number is odd, so First has won")


def test_leblin_steps() -> None:
    """Groups joined, a lifeline cut, a corner closed, no taking back, White left with nothing."""
    group, lifeline, territory, refused, end = taught("leblin").steps
    right_where(group, lambda own, _e, _m, xy: len(slow.parts(own | {xy}, SQUARE)) == 1)
    assert len(slow.parts(placed(group, 0)[0], SQUARE)) == 2

    def taken(step: Step, stone: XY) -> set[str]:
        legal = bits(step.position.placements())
        return {
            step.position.name_of(move)
            for move in legal
            if stone not in slow.leblin_turn(step.position, placed(step, move)[3])[1]
        }

    c4 = (2, 3)
    assert right(lifeline) == taken(lifeline, c4) == {"C1", "C2", "C3"}
    assert right(territory) == {"B2"}
    after = answer(territory, territory.position.game.board.point("B2")).after
    assert after is not None
    _, _, empty = slow.own_enemy_empty(after)
    (corner,) = (part for part in slow.parts(empty, SQUARE) if (0, 0) in part)
    black = slow.cells(after.game.board, after.first)
    white = slow.cells(after.game.board, after.second)
    beside = set().union(*(slow.around(xy, SQUARE) for xy in corner))
    assert (len(corner), bool(beside & black), bool(beside & white)) == (3, True, False)
    minimal = {
        refused.position.name_of(move)
        for move in bits(refused.position.empty)
        if slow.leblin_turn(refused.position, placed(refused, move)[3])[2]
    }
    assert right(refused) == minimal == {"C5", "D5", "E5"}
    board = refused.position.game.board
    assert board.vertices(answer(refused, board.point("C5")).points) == ["B5"] == [refused.last]
    assert right(end) == taken(end, c4)
    won = answer(end, end.position.game.board.point("C2")).after
    assert won is not None
    assert (won.over, str(won.result()), won.second) == (True, "B+", 0)


def test_gardar_steps() -> None:
    """An enclosure, two dead stones, a loop, a board that would come back, and the count."""
    enclosure, dead, loop, refused, end = taught("gardar").steps
    board = enclosure.position.game.board
    edge = slow.cells(board, board.edge)

    def encloses(_own: set[XY], _enemy: set[XY], empty: set[XY], xy: XY) -> bool:
        return any(not part & edge for part in slow.parts(empty - {xy}, HEXAGON))

    right_where(enclosure, encloses)
    for vertex in right(enclosure):
        after = answer(enclosure, board.point(vertex)).after
        assert after is not None
        (area,) = after.areas()
        assert area.owner is Player.FIRST
        assert board.neighbours(area.points) & after.second == 0
        assert area.points >> board.point("D4") & 1
    for move in bits(dead.position.placements()):
        killed = placed(dead, move)[1] - slow.gardar_turn(dead.position, placed(dead, move)[3])[1]
        assert answer(dead, move).right is (len(killed) == 2)
        assert not killed or killed == {(2, 2), (3, 2)}  # C3 and D3, beside D4
    assert right(dead) == {"E5"}
    beside = slow.around((3, 3), HEXAGON)
    assert [len(beside & stones) for stones in placed(dead, 0)[:2]] == [3, 2]

    def closes(own: set[XY], _enemy: set[XY], _empty: set[XY], xy: XY) -> bool:
        groups = slow.parts(own | {xy}, HEXAGON)
        return any(slow.perimeter_loop(board, group) for group in groups)

    right_where(loop, closes)
    assert loop.position.scores() == (-5, -3)
    words = "6 loop stones: Black has 6 points, and had −5 before."
    assert answer(loop, board.point("E4")).words == words
    assert right(refused) == {"F5"}
    assert board.vertices(answer(refused, board.point("F5")).points) == ["C4"] == [refused.last]
    assert final(end).scores() == (6.5, 5)
    assert answer(end, PASS).words == (
        "Black has 6 loop stones and half a point for passing first: 6.5."
        " White has 6 minus one other stone: 5. Black wins by 1.5."
    )
    for move in bits(end.position.placements()):  # "a stone more would only cost you"
        scores = end.position.play(move).scores()
        assert scores is not None
        assert scores[0] < 6
        assert f"Black would have {scores[0]:g}".replace("-", "−") in answer(end, move).words


def test_diagrams_are_read() -> None:
    """Stones, labels, and the size of the board."""
    diagram = """
        . X 1
        O . .
        """
    assert size_of(diagram) == "3x2"
    game = GAMES["leblin"].configure("3")
    whole = diagram + ". . ."
    position = shown(game, whole, Player.SECOND, turns=4)
    assert game.board.vertices(position.first) == ["B3"]
    assert game.board.vertices(position.second) == ["A2"]
    assert position.to_move is Player.SECOND
    assert labels(game.board, whole) == {game.board.point("C3"): "1"}
    with pytest.raises(ValueError, match="shorter"):
        shown(game, diagram)
