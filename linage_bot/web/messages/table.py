"""The messages with all that a page needs to draw a table."""

from typing import Literal

import attrs

from linage_bot.rules import GAMES
from linage_bot.rules.boards import HexBoard, Points, bits
from linage_bot.rules.game import PASS, Area, Game, IllegalityReason, Player, Position
from linage_bot.rules.options import Option, format_option
from linage_bot.settings.playing import LEVELS
from linage_bot.teaching import aim_of, examples_of, explained, lesson_of
from linage_bot.web.messages.wire import (
    AreaMessage,
    ClockMessage,
    EndingMessage,
    ExampleMessage,
    FormMessage,
    GameKindMessage,
    GameMessage,
    IllegalMovesMessage,
    OpenPieMessage,
    OptionMessage,
    OutcomeMessage,
    PositionMessage,
    RulesMessage,
    ScoredItemMessage,
    SeatMessage,
    SeatsMessage,
    TableMessage,
    TimeMessage,
    TreeMessage,
)
from linage_bot.web.table.errors import HttpError
from linage_bot.web.table.game import TableGame
from linage_bot.web.table.links import to_link
from linage_bot.web.table.moves import can_redo, can_undo
from linage_bot.web.table.pie import PlayerKind
from linage_bot.web.table.view import FOLLOWING, View
from linage_bot.web.thinking.session import Session


def new_game_form(
    chosen: Game, players: tuple[PlayerKind, PlayerKind], *, guest: bool = False
) -> FormMessage:
    """Return the form of a new game, with the game and players that are preselected."""
    games = tuple(_kind(kind) for kind in GAMES.values())
    return FormMessage(
        games=games, chosen=game_message(chosen), players=players, levels=len(LEVELS), guest=guest
    )


def _kind(kind: type[Game]) -> GameKindMessage:
    return GameKindMessage(
        **attrs.asdict(game_message(kind.configure()), recurse=False),
        option_kinds={name: _option(option) for name, option in kind.options().items()},
        lesson=lesson_of(kind) is not None,
        aim=aim_of(kind),
    )


def _option(option: Option) -> OptionMessage:
    choices = ("on", "off") if isinstance(option.default, bool) else option.choices
    return OptionMessage(
        default=format_option(option.default),
        help=option.help,
        choices=choices,
        minimum=option.minimum,
        maximum=option.maximum,
    )


def game_message(game: Game) -> GameMessage:
    """Return a game with its board, komi and options."""
    return GameMessage(
        id=game.id,
        name=game.name,
        players=game.players,
        size=game.board.size,
        columns=game.board.columns,
        rows=game.board.rows,
        hex=isinstance(game.board, HexBoard),
        directed=game.directed,
        komi=game.komi,
        komi_step=game.komi_step,
        pie=game.pie,
        options=game.settings(),
        one_colour=game.one_colour,
        counts_points=game.counts_points,
    )


def table_message(
    session: Session, view: View = FOLLOWING, seat: int | None = None
) -> TableMessage:
    """Return everything about a session as a page sees it, except the analysis of its positions.

    `seat` is the number of its person's seat at a shared table; None: a viewer without a seat.
    """
    game = session.game
    tree, viewed, pie = game.tree, view.viewed(game), game.pie
    path = tree.path(viewed)
    moves = tree.moves(path)
    closed = tree[viewed].closed
    return TableMessage(
        revision=revision(session, view, seat),
        game=game_message(game.rules),
        players=game.players,
        pie=None if pie is None else OpenPieMessage(pie.offered, engine=pie.acts is not None),
        sides=game.sides,
        node=game.node,
        played=len(game.now.moves),
        viewed=viewed,
        number=len(moves),
        line=game.line(viewed),
        position=position_message(game.positions[viewed]),
        last=moves[-1] if moves else None,
        comment=tree[viewed].comment,
        closed=None if closed is None else closed.reason,
        over=game.over,
        result=_outcome(game),
        ending=_ending(game),
        turn=_turn(game, seat),
        seats=_seats(session, seat),
        again=game.again != "",
        paused=game.paused,
        time=time_message(game),
        pace=game.pace_seconds,
        trouble=session.failure,
        can_undo=can_undo(game),
        can_redo=can_redo(game),
        analysing=view.analysing,
        ownership=view.ownership,
        link=to_link(game.so_far()),
    )


def _turn(game: TableGame, seat: int | None) -> Literal["engine", "person", "other"] | None:
    """Return the side to act: an engine, a person at the page or another person at a shared table.

    None if the game is over.
    """
    if game.over:
        return None
    if game.engine_to_move is not None:
        return "engine"
    return "person" if game.seats is None or game.turn == seat else "other"


def _seats(session: Session, seat: int | None) -> SeatsMessage | None:
    """Return the seats of a shared table, the people present, and the number of viewers.

    None if the table is not shared.
    """
    game = session.game
    seats = game.seats
    if seats is None:
        return None
    present = [seats.seat_of(viewer.holder) for viewer in session.viewers]
    first, second = (
        None if each is None else SeatMessage(each.holder != "", number in present, each.name)
        for number, each in enumerate(seats.by_player)
    )
    return SeatsMessage(
        you=seat, by_player=(first, second), viewers=present.count(None), closed=game.closed
    )


def revision(session: Session, view: View, seat: int | None) -> str:
    """Return an identifier of the table as a page sees it, which changes with any difference."""
    place = "" if view.looked_at is None else view.looked_at
    switches = f"{view.analysing:d}{view.ownership:d}"
    return f"{session.run_id}-{session.revision}-{place}-{switches}-{seat}"


def tree_message(session: Session) -> TreeMessage:
    """Return all moves, the main line first, and the player who moves first."""
    game = session.game
    nodes = tuple(
        (node, each.parent, each.move, bool(each.comment), each.closed is not None)
        for node, each in game.tree.walk()
    )
    return TreeMessage(game.facts.to_move, nodes)


def time_message(game: TableGame) -> TimeMessage | None:
    """Return both players' time settings; None without clocks."""
    if game.clock is None:
        return None
    settings = game.clock.settings
    return TimeMessage(
        main=settings.main_seconds,
        increment=settings.increment_seconds,
        period=settings.period_seconds,
        periods=settings.periods,
    )


def clock_message(session: Session) -> ClockMessage | None:
    """Return the time left on the clocks, and the player whose clock runs; None without clocks."""
    clock, now = session.game.clock, session.now
    if clock is None:
        return None
    return ClockMessage(
        left=(clock.shown(Player.FIRST, now), clock.shown(Player.SECOND, now)),
        runs=None if clock.since is None else clock.mover,
        period=clock.settings.period_seconds,
        periods=clock.settings.periods,
    )


def rules_message(game: TableGame) -> RulesMessage:
    """Return the rules of the current game, including its pie as long as no side is chosen."""
    paragraphs = explained(game.rules, pie=game.pie is not None)
    examples = tuple(
        ExampleMessage(number, each.name, each.picture.caption, each.words)
        for number, paragraph in enumerate(paragraphs)
        for each in paragraph.examples
    )
    return RulesMessage(tuple(paragraph.text for paragraph in paragraphs), examples)


def rules_picture(game: TableGame, name: str) -> str:
    """Return a picture of the rules of the current game, as SVG. Raise `HttpError` if unknown.

    It has no caption: the page shows it as text, in its own language.
    """
    for example in examples_of(game.rules):
        if example.name == name:
            return attrs.evolve(example.picture, caption=None).svg()
    raise HttpError(404, "there is no such picture")


def _outcome(game: TableGame) -> OutcomeMessage | None:
    """Return the result of a game that is over; None before."""
    conceded, result = game.conceded, game.result
    if conceded is not None:
        return OutcomeMessage(conceded.loser.other, None, _LOST[conceded.reason])
    return None if result is None else OutcomeMessage(result.winner, result.margin)


def _ending(game: TableGame) -> EndingMessage | None:
    """Return the reason why a game ended and its final count; None if it is not over."""
    if not game.over:
        return None
    position = game.position
    tally = position.tally()
    return EndingMessage(
        reason=position.ending(),
        counted=tuple(
            ScoredItemMessage(each.words, each.owner, each.value, tuple(bits(each.points)))
            for each in position.counted()
        ),
        scores=position.scores(),
        words=None if tally is None else tally.words,
    )


_LOST = {"R": "resigned", "T": "lost on time", "F": "forfeited the game"}


def position_message(position: Position) -> PositionMessage:
    """Return a position with its legal moves, and the reasons why other points are illegal."""
    return PositionMessage(
        first=tuple(bits(position.first)),
        second=tuple(bits(position.second)),
        to_move=position.to_move,
        legal=tuple(bits(position.placements())),
        may_pass=position.may_pass(),
        no_pass=position.why_illegal(PASS),
        refused=_refused(position),
        areas=tuple(_area(each) for each in position.areas()),
        scores=position.scores(),
        tally=position.tally(),
        standing=position.result(),
        over=position.over,
    )


def _area(area: Area) -> AreaMessage:
    points = tuple(bits(area.points))
    return AreaMessage(
        kind=area.kind, points=points, owner=area.owner, shown=area.shown, number=area.number
    )


def _refused(position: Position) -> tuple[IllegalMovesMessage, ...]:
    """Return the empty points where no stone may be placed, each group with its reason.

    A group has one reason about the same points of the board.
    """
    refused: dict[IllegalityReason, list[int]] = {}
    closed: Points = 0 if position.over else position.empty & ~position.placements()
    for point in bits(closed):
        obstacle = position.obstacle(point)
        if obstacle is not None:
            refused.setdefault(obstacle, []).append(point)
    return tuple(
        IllegalMovesMessage(obstacle.reason, tuple(bits(obstacle.points)), tuple(points))
        for obstacle, points in refused.items()
    )
