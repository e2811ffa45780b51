"""The vector environment against Gymnasium's own, of single games by the readable rules."""

import functools
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from linage_bot import PASS, Game, game
from linage_bot.batch.gymnasium import BatchEnv
from tests.linage_bot.batch.test_batch import mask_of, planes_of, return_of

COUNT = 3


class RulesEnv(gymnasium.Env[Any, Any]):
    """One game, as a single environment."""

    def __init__(self, kind: Game) -> None:
        batch = BatchEnv(kind, 1)
        self.kind = kind
        self.observation_space = batch.single_observation_space
        self.action_space = batch.single_action_space

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, Any]:
        super().reset(seed=seed, options=options)
        self.position = self.kind.start()
        return planes_of(self.position), {"action_mask": mask_of(self.position)}

    def step(self, action: int) -> tuple[Any, Any, bool, bool, Any]:
        passing = action == self.action_space.n - 1
        mover, self.position = (
            self.position.to_move,
            self.position.play(PASS if passing else action),
        )
        reward = (1 - 2 * mover) * return_of(self.position)
        mask = mask_of(self.position)
        return planes_of(self.position), reward, self.position.over, False, {"action_mask": mask}


def random_actions(environment: BatchEnv) -> np.ndarray:
    moves = environment.batch.random_moves()
    return np.where(moves == PASS, environment.batch.actions - 1, moves)


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("id_", ["linage", "leblin", "gardar"])
def test_it_behaves_as_gymnasiums_own_vector_environment(id_: str, mode: AutoresetMode) -> None:
    """Observations, rewards, ends and infos are equal, in every mode of starting again."""
    kind = game(id_, 3)
    ours = BatchEnv(kind, COUNT, autoreset_mode=mode)
    theirs = SyncVectorEnv([functools.partial(RulesEnv, kind)] * COUNT, autoreset_mode=mode)
    assert ours.metadata["autoreset_mode"] is mode
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    assert data_equivalence(ours.reset(seed=1), theirs.reset(seed=1))
    ends = 0
    for _ in range(200):
        actions = random_actions(ours)
        got = ours.step(actions)
        assert data_equivalence(got, theirs.step(actions), exact=True)
        ends += got[2].sum()
        if mode is AutoresetMode.DISABLED and got[2].any():
            over = {"reset_mask": got[2]}
            observations, infos = ours.reset(options=dict(over))
            assert (observations == theirs.reset(options=dict(over))[0]).all()
            assert (infos["action_mask"][got[2]] == mask_of(kind.start())).all()
    assert ends > COUNT


def test_gymnasiums_wrappers_take_it() -> None:
    """The statistics of a finished game are its result and its length."""
    with_statistics = RecordEpisodeStatistics(BatchEnv(game("linage", 3, komi=0.5), 2))
    with_statistics.reset(seed=1)
    passing = np.full(2, 9)
    with_statistics.step(passing)
    *_, ended, _, infos = with_statistics.step(passing)
    assert ended.all()
    assert infos["episode"]["l"].tolist() == [2, 2]
    assert infos["episode"]["r"].tolist() == [1, 1]  # Second passed last, and wins by komi
    with_statistics.close()


def test_an_illegal_action_is_refused() -> None:
    """The error is that of a batch, and no game changes."""
    environment = BatchEnv(game("linage", 3), 2)
    environment.step([4, 4])
    with pytest.raises(ValueError, match=r"moves: number 1, 4 \(B2\), is illegal"):
        environment.step([0, 4])
    assert environment.batch.to_move.tolist() == [1, 1]


def test_without_gymnasium_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says how to install it."""
    monkeypatch.delitem(sys.modules, "linage_bot.batch.gymnasium")
    for name in ("gymnasium", "gymnasium.spaces"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ModuleNotFoundError, match=r'pip install "linage-bot\[gymnasium\]"'):
        import linage_bot.batch.gymnasium  # noqa: F401
