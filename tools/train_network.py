"""Train a small network with PyTorch on the samples of `network_games`, and export it to ONNX.

    pip install torch onnx
    python -m tools.train_network games.npz network.onnx --minutes 8

The network is a row of residual blocks with a head for the policy and one for the value. A tenth of
the games is held out, and measured after each pass over the others.
"""

import time
from pathlib import Path
from typing import Any

import click
import numpy as np
import torch
from torch import nn
from torch.nn import functional

from tools.network_games import Samples

_HELD_OUT = 10  # every tenth game
_BATCH = 256
_RATE, _LEAST = 2e-3, 0.02  # learning rate at the start, and the least share of it
_POOLED = 8  # channels of the heads


class _Block(nn.Module):
    """Two convolutions, whose result is added to their input."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1)
        self.second = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the block's output."""
        return functional.relu(x + self.second(functional.relu(self.first(x))))


class PolicyValueNetwork(nn.Module):
    """A network that returns the logarithms of priors, not normalised, and values."""

    def __init__(self, planes: int, rows: int, columns: int, channels: int, blocks: int) -> None:
        super().__init__()
        self.stem = nn.Conv2d(planes, channels, 3, padding=1)
        self.blocks = nn.Sequential(*(_Block(channels) for _ in range(blocks)))
        self.policy = nn.Conv2d(channels, 1, 1)
        self.pooled = nn.Conv2d(channels, _POOLED, 1)
        self.rest = nn.Linear(_POOLED * rows * columns, 64)
        self.value, self.passing = nn.Linear(64, 1), nn.Linear(64, 1)

    def forward(self, planes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the logits of all actions, the pass last, and First's values."""
        x = self.blocks(functional.relu(self.stem(planes)))
        rest = functional.relu(self.rest(functional.relu(self.pooled(x)).flatten(1)))
        logits = torch.cat([self.policy(x).flatten(1), self.passing(rest)], 1)
        return logits, torch.tanh(self.value(rest)).squeeze(1)


class _Exported(nn.Module):
    """A network as the engine calls it: it returns priors, not their logarithms."""

    def __init__(self, network: PolicyValueNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(self, planes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return priors that sum to one, and values."""
        logits, values = self.network(planes)
        return torch.softmax(logits, 1), values


def flipped(planes: Any, policies: Any, *, rows: bool, columns: bool) -> tuple[Any, Any]:
    """Return positions and policies after a reflection of the board."""
    axes = [2] * rows + [3] * columns
    board = policies[:, :-1].reshape(len(planes), *planes.shape[2:])
    turned = torch.flip(board, [axis - 1 for axis in axes]).reshape(len(planes), -1)
    return torch.flip(planes, axes), torch.cat([turned, policies[:, -1:]], 1)


def losses(network: nn.Module, batch: tuple[Any, Any, Any]) -> tuple[Any, Any, Any]:
    """Return the policy's cross-entropy, the value's square error, and the best move's hits."""
    planes, policies, values = batch
    logits, guesses = network(planes)
    entropy = -(policies * functional.log_softmax(logits, 1)).sum(1).mean()
    hits = (logits.argmax(1) == policies.argmax(1)).float().mean()
    return entropy, functional.mse_loss(guesses, values), hits


def train(network: PolicyValueNetwork, data: Samples, minutes: float, seed: int) -> None:
    """Train a network for a time, and print the losses after each pass over the samples.

    The learning rate falls in proportion to the time that is left.
    """
    chance = np.random.default_rng(seed)
    held_out = data.games % _HELD_OUT == 0
    arrays = tuple(map(torch.from_numpy, (data.planes, data.policies, data.values)))
    test = tuple(each[held_out] for each in arrays)
    learned = np.flatnonzero(~held_out)
    optimizer = torch.optim.AdamW(network.parameters(), _RATE, weight_decay=1e-4)
    began, passes, left = time.monotonic(), 0, 1.0
    click.echo("pass seconds policy-loss value-loss best-move-hits (held out)")
    while left > 0:
        for part in np.array_split(chance.permutation(learned), -(-len(learned) // _BATCH)):
            optimizer.param_groups[0]["lr"] = _RATE * max(_LEAST, left)
            planes, policies, values = (each[torch.from_numpy(part)] for each in arrays)
            rows, columns = (bool(each) for each in chance.integers(0, 2, 2))
            planes, policies = flipped(planes, policies, rows=rows, columns=columns)
            entropy, error, _ = losses(network, (planes, policies, values))
            optimizer.zero_grad()
            (entropy + error).backward()
            optimizer.step()
            left = 1 - (time.monotonic() - began) / 60 / minutes
            if left <= 0:
                break
        passes += 1
        with torch.no_grad():
            entropy, error, hits = (float(each) for each in losses(network, test))
        seconds = time.monotonic() - began
        click.echo(f"{passes:4} {seconds:7.0f} {entropy:11.3f} {error:10.3f} {hits:14.3f}")


def export(network: PolicyValueNetwork, shape: tuple[int, ...], file: Path) -> None:
    """Write a network whose input has this shape as an ONNX file for the engine."""
    names = "planes", "priors", "values"
    torch.onnx.export(
        _Exported(network).eval(),
        (torch.zeros(2, *shape),),
        str(file),
        input_names=names[:1],
        output_names=names[1:],
        dynamic_axes={name: {0: "positions"} for name in names},
        dynamo=False,  # the newer exporter needs another package
    )


@click.command()
@click.argument("samples", type=click.Path(exists=True, path_type=Path))
@click.argument("output", type=click.Path(path_type=Path))
@click.option("--minutes", default=8.0, show_default=True, help="Time for training.")
@click.option("--channels", default=24, show_default=True)
@click.option("--blocks", default=3, show_default=True)
@click.option("--seed", default=1, show_default=True)
def main(
    samples: Path, output: Path, minutes: float, channels: int, blocks: int, seed: int
) -> None:
    """Train a network on SAMPLES and write it to OUTPUT, an ONNX file."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    data = Samples.load(samples)
    shape = planes, rows, columns = data.planes.shape[1:]
    network = PolicyValueNetwork(planes, rows, columns, channels, blocks)
    train(network, data, minutes, seed)
    export(network, shape, output)


if __name__ == "__main__":
    main()
