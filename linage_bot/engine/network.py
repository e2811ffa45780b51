"""Results of a network, checked, and networks in files of ONNX Runtime.

The file `search.evaluating` has their part in the search.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from linage_bot.rules.game import Game
from linage_bot.settings.network import EVALUATED_AT, SHARE, Network
from protocol.session.errors import CommandFailed

if TYPE_CHECKING:
    import numpy.typing as npt

    from linage_bot.settings.network import Planes

PLANES = 8
"""The number of planes of a position; `linage_bot.batch.PLANES` explains them."""
_ROUNDING = 1e-3  # by which a value may exceed its bounds
_FATAL = 4  # the least severity that ONNX Runtime logs; errors are raised


class NetworkFailed(CommandFailed):
    """A network that does not fit the game, or whose results make no sense."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"network: {reason}")


def evaluated(
    network: Network, planes: Planes
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return a network's priors and values of positions.

    Raises `NetworkFailed` if they are no finite numbers in the right shapes and bounds, and the
    exceptions of the network's function.
    """
    count, _, rows, columns = planes.shape
    results = network.evaluate(planes)
    try:
        priors, values = (np.ascontiguousarray(each, np.float64) for each in results)
    except (TypeError, ValueError):
        raise NetworkFailed("expected two arrays of numbers, priors and values") from None
    wanted = ("priors", priors, (count, rows * columns + 1)), ("values", values, (count,))
    for name, array, shape in wanted:
        if array.shape != shape:
            raise NetworkFailed(f"{name}: expected the shape {shape}, not {array.shape}")
        if not np.isfinite(array).all():
            raise NetworkFailed(f"{name}: a number is infinite or not a number (NaN)")
    if priors.min() < 0:
        raise NetworkFailed(f"priors: {priors.min():g} is negative; logarithms are not priors")
    worst = values[abs(values).argmax()]
    if abs(worst) > 1 + _ROUNDING:
        raise NetworkFailed(f"values: {worst:g} is not between -1 and 1")
    return priors, values.clip(-1.0, 1.0)


def load_network(
    file: Path, game: Game, share: float = SHARE, visits: int = EVALUATED_AT
) -> Network:
    """Return the network of an ONNX file that evaluates positions of a game.

    It has one input, planes, and two outputs, priors and values, in the shapes of `Network`; values
    may have a second dimension of size 1. Raises `NetworkFailed` if the file is no such model or
    does not fit the game's board, `ValueError` for a wrong share or number of visits, and
    `ModuleNotFoundError` without ONNX Runtime.
    """
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1  # so that results repeat
    options.log_severity_level = _FATAL
    try:
        session = onnxruntime.InferenceSession(
            file.read_bytes(), options, providers=["CPUExecutionProvider"]
        )
    except OSError as error:
        raise NetworkFailed(f"{file}: {error.strerror}") from None
    except Exception as error:  # ONNX Runtime has a class for each kind of failure
        raise NetworkFailed(f"{file}: not a model for ONNX Runtime: {_line(error)}") from None
    inputs, outputs = session.get_inputs(), session.get_outputs()
    if len(inputs) != 1 or len(outputs) != 2:
        raise NetworkFailed(
            f"{file}: expected 1 input, planes, and 2 outputs, priors and values;"
            f" the model has {len(inputs)} and {len(outputs)}"
        )

    def evaluate(planes: Planes) -> tuple[Any, Any]:
        shape: list[Any] = inputs[0].shape
        if not _fits(shape, planes.shape) or inputs[0].type != "tensor(float)":
            wanted = f"(positions, {', '.join(map(str, planes.shape[1:]))})"
            own = f"({', '.join(map(str, shape))})"
            raise NetworkFailed(
                f"{file}: expected an input of 32-bit floats in the shape {wanted}, free in the"
                f" number of positions; the model has {inputs[0].type} in the shape {own}"
            )
        try:
            priors, values = session.run(None, {inputs[0].name: planes})
        except Exception as error:
            raise NetworkFailed(f"{file}: {_line(error)}") from None
        return priors, values.reshape(-1) if values.shape[1:] == (1,) else values

    network = Network(evaluate, share, visits)
    sample = np.zeros((2, PLANES, game.board.rows, game.board.columns), np.float32)
    evaluated(network, sample)
    return network


def _fits(dimensions: list[Any], shape: tuple[int, ...]) -> bool:
    """Return whether a model's input takes this shape, for any number of positions."""
    if len(dimensions) != len(shape) or isinstance(dimensions[0], int):
        return False
    named = zip(dimensions[1:], shape[1:], strict=True)
    return all(each == size for each, size in named if isinstance(each, int))


def _line(error: Exception) -> str:
    """Return an error's message as one line."""
    return " ".join(str(error).split())
