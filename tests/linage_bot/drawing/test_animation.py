"""Animated GIFs, as Pillow reads them."""

import io
import threading
from concurrent.futures import CancelledError

import pytest
from PIL import Image, ImageChops, ImageColor

from linage_bot.drawing import INKS, OWNER_INKS
from linage_bot.drawing.animation import MOST_FRAMES, gif
from linage_bot.drawing.layout import STEP, BoardLayout
from linage_bot.rules import GAMES
from linage_bot.rules.boards import bits
from linage_bot.rules.game import PASS
from tests.linage_bot.drawing.positions import position_of

GAMES_PLAYED = {
    "linage": ("5", "B1 B2 B3 B4 B5 C4 D4 E4"),
    "linage-two-color": ("5x4", "B1 D1 B2 D2 B3 D3 B4"),
    "linage-parity": ("5", "C1 C2 C3 C4 C5"),
    "leblin": ("5", "A1 B2 E5 B1 A5 A2"),
    "gardar": ("3", "B2 A1 C2 E5 D3 A2 D4 C5 C4 A3 B3"),
}


def played(game, size, moves):
    position = position_of(game, size)
    points = [position.game.board.point(word) for word in moves.split()]
    positions = [position]
    for point in points:
        positions.append(positions[-1].play(point))
    return positions, points


def frames(data):
    """The frames in full colours, and for how many milliseconds each is shown."""
    with Image.open(io.BytesIO(data)) as image:
        assert (image.format, image.info["loop"]) == ("GIF", 0)
        found = []
        for number in range(image.n_frames):
            image.seek(number)
            found.append((image.convert("RGB"), image.info["duration"]))
    return found


def colour(frame, position, point):
    """Return the colour in a corner of a point's place, or on its stone."""
    board = position.game.board
    plan = BoardLayout.of(board, coordinates=True, caption=False)
    scale = frame.width / plan.width
    x, y = plan.of_point(point)
    return frame.getpixel((round((x + 7) * scale), round((y + 8.5) * scale)))


def expected(position, point):
    game = position.game
    if position.stones >> point & 1:
        side = "second" if position.second >> point & 1 else "first"
        return ImageColor.getrgb(INKS["shared-stone" if game.one_colour else f"{side}-stone"].light)
    owners = [
        area.owner for area in position.areas() if area.points >> point & 1 and area.shown != "dots"
    ]
    return ImageColor.getrgb(INKS[OWNER_INKS[owners[-1] if owners else None]].light)


def agrees(frame, position):
    """Return whether the frame shows the position, within the error of a 256-colour palette."""
    return all(
        abs(one - other) < 8
        for point in bits(position.game.board.points)
        for one, other in zip(
            colour(frame, position, point), expected(position, point), strict=True
        )
    )


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_position_has_its_frame(game):
    """Stones that come and go and who owns what, on each point; the last is shown longest."""
    positions, moves = played(game, *GAMES_PLAYED[game])
    shown = frames(gif(positions, moves))
    assert [milliseconds for _, milliseconds in shown] == [600] * len(moves) + [3000]
    for (frame, _), position in zip(shown, positions, strict=True):
        assert agrees(frame, position)


@pytest.mark.parametrize(
    ("game", "size"), [("linage", "3"), ("linage", "25"), ("linage", "25x3"), ("gardar", "13")]
)
def test_every_board_has_a_handy_size(game, size):
    """Pictures are between 180 and 680 pixels on every board."""
    positions, moves = played(game, size, "A1 B2")
    (first, _), *_ = frames(gif(positions, moves))
    assert 180 < max(first.size) < 680


def test_lifelines_and_counted_regions_are_seen():
    """Dots in the strong colours, and numbers, which are letters on an otherwise empty board."""
    positions, moves = played("leblin", "5", "A1 E4")
    dots = {each for _, each in frames(gif(positions, moves))[-1][0].getcolors(1 << 20)}
    for ink in ("first-strong", "second-strong"):
        (red, green, blue) = ImageColor.getrgb(INKS[ink].light)
        near = [r + g + b for r, g, b in dots if abs(r - red) + abs(g - green) + abs(b - blue) < 9]
        assert near
    ((counted, _),) = frames(gif([position_of("linage-parity", "5")], []))
    ((plain, _),) = frames(gif([position_of("linage", "5")], []))
    assert ImageChops.difference(counted, plain).getbbox()


def test_a_long_game_is_shown_in_steps():
    """No animation has more frames than a browser takes; the end is there, and passes too."""
    positions, moves = played("leblin", "4", "A1 B2 C3")
    many, their = positions * 300, [*moves, PASS] * 300
    shown = frames(gif(many, their[:-1]))
    assert len(shown) <= MOST_FRAMES + 1
    assert agrees(shown[-1][0], many[-1])


def test_an_animation_that_is_stopped_ends_at_its_next_frame():
    """Drawing stops soon after the request is cancelled."""

    class Soon(threading.Event):
        looks = 0

        def is_set(self):
            self.looks += 1
            return self.looks > 2

    stopped = Soon()
    with pytest.raises(CancelledError):
        gif([position_of("linage", "5")] * 300, [PASS] * 299, stopped)
    assert stopped.looks == 3


def test_a_game_without_moves_is_one_picture():
    """A game without moves gives one picture, of its start."""
    ((frame, _),) = frames(gif([position_of("linage", "5")], []))
    assert frame.width > 5 * STEP
