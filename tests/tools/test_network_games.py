"""The samples for training a network."""

import numpy as np

from linage_bot import History, game
from linage_bot.batch import Batch
from tools.network_games import Samples, samples_of


def test_samples_are_positions_of_games_and_can_be_read_again(tmp_path):
    """Samples have legal policies, values from -1 to 1, and survive being written."""
    kind = game("linage", size=4)
    samples = samples_of(kind, games=3, visits=20, seed=1)
    count = len(samples.games)
    assert samples.planes.shape == (count, 8, 4, 4)
    assert samples.policies.shape == (count, 17)
    assert np.allclose(samples.policies.sum(1), 1)
    assert (abs(samples.values) <= 1).all()
    assert sorted(set(samples.games.tolist())) == [0, 1, 2]
    board = samples.policies[:, :-1].reshape(count, 4, 4)
    assert (board[samples.planes[:, 3] == 0] == 0).all()
    opening = Batch.from_histories([History(kind)]).observe()[0]
    assert samples.planes[0].shape == opening.shape
    samples.save(tmp_path / "samples.npz")
    again = Samples.load(tmp_path / "samples.npz")
    assert (again.planes == samples.planes).all()
    assert (again.values == samples.values).all()
