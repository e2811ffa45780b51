"""A small network that learns to beat random play by REINFORCE, with NumPy alone, in seconds.

    python examples/train_policy.py

It plays First in 256 games of Leblin 5x5 at a time, and you see its share of wins rise from 57 to
91 %. After each round, moves in games that were won become more probable, and those in lost games
less. The observations, the legal moves and the opponent's moves come from `linage_bot.batch`.
"""

import numpy as np
import numpy.typing as npt

from linage_bot import game
from linage_bot.batch import Batch

GAMES, HIDDEN, ROUNDS, STEP = 256, 64, 40, 0.3
Array = npt.NDArray[np.float64]
Planes = npt.NDArray[np.float32]  # observations, a row for each position


class Policy:
    """A network with one hidden layer, which gives each action a score."""

    def __init__(self, inputs: int, actions: int, chance: np.random.Generator) -> None:
        self.first: Array = chance.normal(0, inputs**-0.5, (inputs, HIDDEN))
        self.second: Array = np.zeros((HIDDEN, actions))  # all actions begin with the same score

    def scores(self, inputs: Planes) -> Array:
        """Return the logarithm of each action's probability, up to a constant."""
        return np.asarray(np.tanh(inputs @ self.first) @ self.second)

    def learn(self, inputs: Planes, changes: Array) -> None:
        """Climb by one step, where `changes` are the gradients of the scores."""
        hidden = np.tanh(inputs @ self.first)
        below = changes @ self.second.T * (1 - hidden**2)
        self.first += STEP * inputs.T @ below
        self.second += STEP * hidden.T @ changes


def play(batch: Batch, policy: Policy, chance: np.random.Generator) -> float:
    """Play all games to their ends, learn from them, and return the share that was won."""
    batch.reset()
    turns, unfinished = [], ~batch.over
    while unfinished.any():
        inputs = batch.observe()[unfinished].reshape(unfinished.sum(), -1)
        scores = np.where(batch.legal_mask[unfinished], policy.scores(inputs), -np.inf)
        odds = np.exp(scores - scores.max(1, keepdims=True))
        drawn = (scores + chance.gumbel(size=scores.shape)).argmax(1)  # by these odds
        change = -odds / odds.sum(1, keepdims=True)  # of the logarithm of the drawn probability
        change[np.arange(len(drawn)), drawn] += 1
        turns.append((inputs, change, unfinished))
        moves = batch.random_moves()
        moves[unfinished] = drawn
        batch.step(moves)
        batch.step(batch.random_moves())  # Second's; finished games ignore it
        unfinished = ~batch.over
    won = batch.returns
    gains = won - won.mean()
    changes = [change * gains[which, None] for _, change, which in turns]
    policy.learn(np.concatenate([each for each, _, _ in turns]), np.concatenate(changes) / GAMES)
    return float((won > 0).mean())


def main() -> None:
    """Train, and print the share of wins, the mean of five rounds in each line."""
    chance = np.random.default_rng(1)
    with Batch(game("leblin", size=5), GAMES, seed=1) as batch:
        policy = Policy(batch.observe()[0].size, batch.actions, chance)
        shares = [play(batch, policy, chance) for _ in range(ROUNDS)]
    for first in range(0, ROUNDS, 5):
        print(f"after {first * GAMES:5} games: {np.mean(shares[first : first + 5]):.0%} won")


if __name__ == "__main__":
    main()
