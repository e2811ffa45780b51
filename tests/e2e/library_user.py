"""A user's program, which pyright and `mypy --strict` read; a mistake stands before each `# !`."""

from threading import Event

from linage_bot import (
    ROOT,
    Analysis,
    AsyncEngine,
    AsyncPlayer,
    CompileProgress,
    Engine,
    EngineTimeout,
    FairPie,
    Game,
    GtpPlayer,
    History,
    Limits,
    Picture,
    Player,
    PlaySettings,
    Position,
    Record,
    Review,
    SolverReport,
    Study,
    UgiPlayer,
    balanced_openings,
    bits,
    from_fen,
    from_sgf,
    game,
    review_game,
    shipped_puzzles,
    solve,
    study_from_sgf,
    to_fen,
    to_sgf,
    warm,
    with_owners,
)


def right_uses() -> None:
    linage: Game = game("linage", size=7, komi=1.5, line=4, button="on")
    so_far = History(linage, moves=[24, 16]).play("E5")
    again = History(linage, "D4 C3").play(3).back()
    first: int = again[0]
    print(first, [linage.name_of(each) for each in again], again[1:][0], len(again), "D4" in again)
    position: Position = so_far.position
    settings = PlaySettings(visits=100, seconds=None, search="uct").changed(level=3)
    with Engine(seed=1, threads=2, resign_rate=None, solver=False) as engine:
        move: int | None = engine.play(so_far, Limits(visits=500)).move
        analysis: Analysis = engine.analyse(position, moves=["D4", 3])
        for update in engine.analysis(again, interval_seconds=0.5):
            print(update.visits, update.candidates[0].win_rate)

    def show(progress: CompileProgress) -> None:
        print(progress.name, progress.share, progress.seconds_left)

    warm(linage, on_compile=show)
    with Engine(settings, ponder=True, on_compile=show) as engine:
        engine.configure(engine.settings.changed(nodes=1 << 20))
    print(move, analysis.seen_by(Player.SECOND).lead)
    print(Record(linage, "D4 C3", [(Player.FIRST, "A1")], players=["Ann", "Bob"]).moves)
    record = Record.of(so_far, players=("Ann", "Bob"), comments={2: "too near"})
    print(from_sgf(to_sgf(record).encode()).history(), from_fen(to_fen(position)))
    print(Picture(position, caption="After three moves", labels={"D4": "a"}, line="A1 B1").svg())
    print(Picture(position, heat={"D4": 0.5}, weights={3: 100, 4: 20}).svg())
    try:
        with GtpPlayer("gnugo --mode gtp", timeout_seconds=5) as player:
            answer: str | None = player.play(so_far, Limits(seconds=1))
            print(answer, player.options["x"], player.analyse(position, stopped=Event()).lead)
        with UgiPlayer(["engine", "ugi"]) as other:
            other.configure({"Hash": 16, "solver": False})
            for each in other.analysis(so_far, interval_seconds=0.5, visits=10):
                print(each.candidates[0].line)
    except EngineTimeout as error:
        print(error.seconds)
    report: SolverReport = solve(so_far, seconds=1.0, stopped=Event())
    print(report.score.low, report.proven.best, with_owners(analysis).owners)
    review: Review = review_game(so_far, settings, lambda *step: print(step))
    print(review.moves[0].win_loss, [bits(area.points) for area in position.areas()])
    study: Study = study_from_sgf(to_sgf(record))
    print(study.tree[ROOT].comment, to_sgf(study), balanced_openings(linage)[0].moves)
    print([puzzle.steps[0].best for puzzle in shipped_puzzles().values()])
    print(FairPie(linage, engine.settings).even_komi())


async def asynchronous_uses() -> None:
    async with AsyncEngine(PlaySettings(level=3), seed=1) as engine:
        move: int | None = (await engine.play(History(game("linage")), Limits(visits=50))).move
        async for update in engine.analysis(History(game("linage")), visits=100):
            print(move, update.visits)
    async with AsyncPlayer(UgiPlayer, "engine", timeout_seconds=5) as player:
        print(await player.play(History(game("linage")), Limits(seconds=1)), await player.options())
        async for update in player.analysis(History(game("linage")), visits=100):
            print(update.candidates)


def mistakes() -> None:
    AsyncEngine(vists=3)  # !
    Engine(vists=3)  # !
    Engine(visits="3")  # !
    Engine(search="fast")  # !
    Engine(on_compile=3)  # !
    PlaySettings(vists=3)  # !
    PlaySettings().changed(vists=3)  # !
    History(5)  # !
    History(game("linage")).play(1.5)  # !
    History(game("linage"), 5)  # !
    Record(game("linage"), [1.5])  # !
    Limits(vists=3)  # !
    Engine().play(History(game("linage")), 500)  # !
    Engine().analyse("linage")  # !
    GtpPlayer("gnugo", timeout="5")  # !
    AsyncPlayer(GtpPlayer, "gnugo", timeout_seconds="5")  # !
    AsyncPlayer(Engine, "gnugo")  # !
    UgiPlayer("engine").play(5)  # !
