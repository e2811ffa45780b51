"""Live graphics: GoGui's drawings during a search."""

import time

import pytest

from linage_bot.settings.playing import PlaySettings
from tests.linage_bot.gtp.conversation import PATIENCE_SECONDS, Conversation

# A test ends sooner only if something stops it: nothing is proven, nothing searched to the end.
LONG = PlaySettings(seconds=3600.0, seed=3, solver=False)


class Screen:
    """The sets of drawing commands on stderr, as GoGui reads them."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> None:
        assert text.startswith("gogui-gfx:\n")
        assert text.endswith("\n\n")
        assert text.count("\n\n") == 1
        assert text.isascii()
        self.text += text

    def wait_for(self, count: int) -> None:
        """Wait for `count` sets, sleeping so that the search can run."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while len(self.sets) < count:
            assert time.monotonic() < deadline, self.text
            time.sleep(0.01)

    @property
    def sets(self) -> list[list[list[str]]]:
        whole = self.text.split("gogui-gfx:\n")[1:]
        return [[line.split() for line in each.splitlines() if line] for each in whole]


def watched(kind: str, line: str, game: str = "linage", size: str = "7") -> Screen:
    """Return the sets drawn during a long search that is stopped after two of them."""
    screen = Screen()
    client = Conversation(game, size, settings=LONG, draw=screen.write)
    client.ok(f"kata-set-param liveGraphics {kind}")
    client.send(line.encode() + b"\n")
    screen.wait_for(2)
    client.send(b"stop\n")
    client.settle()
    return screen


@pytest.mark.parametrize("line", ["genmove b", "kata-search", "kata-analyze b 5", "linage-visits"])
def test_the_best_variation_is_drawn_while_any_search_runs(line):
    """The best variation is drawn in both colours during any search, and cleared at its end."""
    *drawn, last = watched("variation", line).sets
    for variation, text in drawn:
        assert variation[:2] == ["VAR", "b"]
        assert variation[1::2] == (["b", "w"] * len(variation))[: len(variation) // 2]
        assert text[:3] == ["TEXT", "win", "rate"]
        assert variation[2::2] == text[text.index("visits:") + 1 :]
    assert last == [["CLEAR"]]


def test_moves_are_drawn_by_their_visits_and_win_rates_for_the_side_to_move():
    """Moves are drawn by their visits, negative for White, with the mover's win rates."""
    for colour, sign in (("b", 1), ("w", -1)):
        screen = Screen()
        client = Conversation(size="7", settings=LONG, draw=screen.write)
        client.ok("kata-set-param liveGraphics moves")
        if colour == "w":
            client.ok("play b C3")
        client.send(f"genmove {colour}\n".encode())
        screen.wait_for(1)
        client.send(b"stop\n")
        client.settle()
        influence, label, _text = screen.sets[0]
        assert (influence[0], label[0]) == ("INFLUENCE", "LABEL")
        assert influence[1::2] == label[1::2]
        sizes = [float(word) for word in influence[2::2]]
        assert float(sign) in sizes
        assert all(0 < sign * size <= 1 for size in sizes)
        assert all(0 <= int(word) <= 100 for word in label[2::2])


@pytest.mark.parametrize(("game", "size", "points"), [("linage", "7x6", 42), ("gardar", "3", 19)])
def test_expected_owners_are_drawn_on_points_that_exist(game, size, points):
    """Expected owners are drawn once for each point, from -1 to 1."""
    screen = watched("owners", "genmove b", game, size)
    board = Conversation(game, size).engine.board
    influence = next(line for line in screen.sets[0] if line[0] == "INFLUENCE")
    assert sorted(influence[1::2]) == sorted(board.vertices(board.points))
    assert len(influence[1::2]) == points
    assert all(-1 <= float(word) <= 1 for word in influence[2::2])


def test_owned_points_keep_their_colours_in_every_set():
    """Each set of drawings includes the colours of the owned points, as GoGui needs."""
    screen = Screen()
    client = Conversation(size="4", settings=LONG, draw=screen.write)
    client.all(f"play {move}" for move in ("b B2", "w B3", "b C2", "w A1", "b D2"))
    client.ok("kata-set-param liveGraphics variation")
    colours = client.ok("linage-owners").splitlines()
    assert colours
    client.send(b"kata-analyze w 1\n")
    screen.wait_for(1)
    client.send(b"\n")
    client.settle()
    for drawn in screen.sets:
        assert [" ".join(line) for line in drawn if line[0] == "COLOR"] == colours


def test_nothing_is_drawn_unless_asked_for():
    """Nothing is drawn by default, or after drawing was switched off."""
    screen = Screen()
    client = Conversation(draw=screen.write)
    client.all(
        ["genmove b", "kata-set-param liveGraphics moves", "kata-set-param liveGraphics none"]
    )
    client.ok("genmove w")
    assert screen.text == ""


def test_without_a_stderr_that_anybody_reads_live_graphics_are_refused():
    """Without a usable stderr live graphics are refused, and may be switched off."""
    client = Conversation()
    assert client.fails("kata-set-param liveGraphics moves").startswith("syntax error")
    client.ok("kata-set-param liveGraphics none")
    assert client.fails("kata-set-param liveGraphics everything").startswith("syntax error")


def test_where_stderr_is_read_no_more_moves_are_chosen_all_the_same():
    """If stderr is closed, nothing is drawn and moves are still chosen."""

    def write(_text: str) -> None:
        raise BrokenPipeError

    client = Conversation(draw=write)
    client.ok("kata-set-param liveGraphics moves")
    assert client.ok("genmove b") != ""
    assert client.ok("reg_genmove w") != ""


def test_drawing_does_not_change_what_is_played():
    """With a seed, drawing does not change the moves."""
    moves = []
    for kind in ("none", "moves"):
        settings = PlaySettings(visits=3000, seed=5)
        client = Conversation(size="7", settings=settings, draw=Screen().write)
        client.ok(f"kata-set-param liveGraphics {kind}")
        moves.append([client.ok(f"genmove {colour}") for colour in "bwbw"])
    assert moves[0] == moves[1]
