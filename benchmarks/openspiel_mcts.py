"""A match of OpenSpiel's own MCTS against our engine, with the same seconds per move.

    python benchmarks/openspiel_mcts.py [--game "python_linage(size=9)"] [--games 20] [--seconds 1]

The two games of a pair begin with the same two random stones, with sides swapped. On a machine with
other work, wall time is unreliable. So MCTS, which is written in C++ except for the rules, gets the
full seconds of processor time: the number of simulations is estimated from the time of its last
ones. The engine gets the seconds by the clock, and so never more processor time.
"""

from __future__ import annotations

import argparse
import random
import time

import attrs
import pyspiel
from scipy.stats import binomtest

from linage_bot.openspiel import EngineBot

_FIRST_COST = 0.001  # seconds per simulation, from an almost empty board
_FEWEST = 20  # simulations


@attrs.define
class Spent:
    """The processor time and the number of moves of one side so far."""

    seconds: float = 0.0  # of the processor
    moves: int = 0

    def add(self, began: float) -> float:
        spent = time.process_time() - began
        self.seconds += spent
        self.moves += 1
        return spent


class Match:
    """Games between the two programs, and the time that each spent on them."""

    def __init__(self, game: pyspiel.Game, engine: EngineBot, seconds: float) -> None:
        self.game, self.engine, self.seconds = game, engine, seconds
        self.spent = (Spent(), Spent())
        self.simulations = 0
        self._cost = _FIRST_COST

    def score(self, number: int) -> float:
        """Play a game and return the engine's score, 0 to 1; in odd games the engine is Second."""
        state, chooser, side = self.game.new_initial_state(), random.Random(number // 2), number % 2
        for _ in range(2):
            stones = [
                each for each in state.legal_actions() if state.action_to_string(each) != "pass"
            ]
            state.apply_action(chooser.choice(stones))
        self.engine.restart()
        self._cost = _FIRST_COST
        while not state.is_terminal():
            ours = state.current_player() == side
            state.apply_action(self._ours(state) if ours else self._theirs(state, number))
        return (state.returns()[side] + 1) / 2

    def _ours(self, state: pyspiel.State) -> int:
        began = time.process_time()
        action = self.engine.step(state)
        self.spent[0].add(began)
        return action

    def _theirs(self, state: pyspiel.State, seed: int) -> int:
        bot = pyspiel.MCTSBot(
            self.game,
            pyspiel.RandomRolloutEvaluator(1, seed=seed),
            uct_c=1.4,
            max_simulations=max(_FEWEST, round(self.seconds / self._cost)),
            max_memory_mb=1000,
            solve=True,
            seed=seed,
            verbose=False,
        )
        began = time.process_time()
        root = bot.mcts_search(state)  # `step` cannot be used with games in Python
        self._cost = self.spent[1].add(began) / root.explore_count
        self.simulations += root.explore_count
        return root.best_child().action


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--game", default="python_linage(size=9)")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=1.0)
    arguments = parser.parse_args()
    game = pyspiel.load_game(arguments.game)
    with EngineBot(seconds=arguments.seconds, seed=1) as engine:
        engine.step(game.new_initial_state())  # the first search loads the compiled code
        match, won = Match(game, engine, arguments.seconds), 0.0
        for number in range(arguments.games):
            won += match.score(number)
            print(f"game {number + 1}: {won:g} so far", flush=True)
    low, high = binomtest(round(won), arguments.games).proportion_ci()
    print(f"the engine scored {won:g} of {arguments.games}: {low:.0%} to {high:.0%} (95 %)")
    for name, spent in zip(("engine", "MCTS"), match.spent, strict=True):
        print(
            f"{name}: {spent.moves} moves, {spent.seconds / spent.moves:.3f} processor seconds each"
        )
    print(f"MCTS: {match.simulations / match.spent[1].moves:.0f} simulations a move")


if __name__ == "__main__":
    main()
