"""Networks: their results, checked, and their files."""

import subprocess
import sys

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from linage_bot import Engine, Network, NetworkFailed, game, load_network
from linage_bot.engine.network import evaluated

LINAGE = game("linage", size=4)
PLANES = np.zeros((3, 8, 4, 4), np.float32)
PRIORS, VALUES = np.ones((3, 17)), np.zeros(3)


def model(file, shape=("positions", 8, 4, 4), priors=17, bias=0.0, outputs=2, softmax=True):
    """Write a model that prefers no move, and whose values are the hyperbolic tangent of `bias`."""
    size = int(np.prod([each if isinstance(each, int) else 4 for each in shape[1:]]))
    arrays = {
        "weights": np.zeros((size, priors), np.float32),
        "more": np.zeros((size, 1), np.float32),
        "bias": np.array([bias], np.float32),
    }
    nodes = [
        helper.make_node("Flatten", ["planes"], ["flat"]),
        helper.make_node("MatMul", ["flat", "weights"], ["logits"]),
        helper.make_node("Softmax" if softmax else "Identity", ["logits"], ["priors"]),
        helper.make_node("MatMul", ["flat", "more"], ["sum"]),
        helper.make_node("Add", ["sum", "bias"], ["biased"]),
        helper.make_node("Tanh", ["biased"], ["values"]),
    ]
    own = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, ["positions", count])
        for name, count in (("priors", priors), ("values", 1))
    ]
    graph = helper.make_graph(
        nodes,
        "network",
        [helper.make_tensor_value_info("planes", TensorProto.FLOAT, shape)],
        own[:outputs],
        [numpy_helper.from_array(array, name) for name, array in arrays.items()],
    )
    opset = [helper.make_opsetid("", 17)]
    onnx.save(helper.make_model(graph, opset_imports=opset, ir_version=8), file)
    return file


@pytest.mark.parametrize(
    ("results", "reason"),
    [
        (None, "expected two arrays of numbers, priors and values"),
        ((PRIORS,), "expected two arrays of numbers"),
        ((PRIORS[:2], VALUES), r"priors: expected the shape \(3, 17\), not \(2, 17\)"),
        ((PRIORS[:, 1:], VALUES), r"priors: expected the shape \(3, 17\), not \(3, 16\)"),
        ((PRIORS, VALUES[:, None]), r"values: expected the shape \(3,\), not \(3, 1\)"),
        ((PRIORS * np.nan, VALUES), r"priors: a number is infinite or not a number \(NaN\)"),
        ((PRIORS, VALUES - np.inf), "values: a number is infinite"),
        ((-PRIORS, VALUES), "priors: -1 is negative; logarithms are not priors"),
        ((PRIORS, VALUES - 2), "values: -2 is not between -1 and 1"),
    ],
)
def test_results_that_make_no_sense_are_refused(results, reason):
    """Each wrong result is named with what was expected, also in a search."""
    network = Network(lambda _planes: results)
    with pytest.raises(NetworkFailed, match=f"network: {reason}"):
        evaluated(network, PLANES)


def test_lists_and_values_rounded_over_their_bounds_are_taken():
    """Any sequences of numbers will do, and a value may exceed its bounds by a rounding error."""
    network = Network(lambda _planes: (PRIORS.astype(int).tolist(), [1.0001, -1, 0]))
    priors, values = evaluated(network, PLANES)
    assert (priors == PRIORS).all()
    assert values.tolist() == [1, -1, 0]


@pytest.mark.thorough
def test_a_failing_network_ends_the_search_and_the_engine_goes_on():
    """NaN and exceptions reach the caller; the engine can be used afterwards."""
    results = [(PRIORS[:1] * np.nan, VALUES[:1])]
    network = Network(lambda _planes: results[0] if results else 1 / 0)
    with Engine(visits=50, network=network, solver=False, resign_rate=None) as engine:
        with pytest.raises(NetworkFailed, match="NaN"):
            engine.play(LINAGE.start())
        results.clear()
        with pytest.raises(ZeroDivisionError):
            engine.play(LINAGE.start())
        engine.configure(engine.settings.changed(network=None))
        assert engine.play(LINAGE.start()).move in LINAGE.start().moves()


def test_a_file_is_a_network(tmp_path):
    """An ONNX file evaluates any number of positions, always with the same results."""
    network = load_network(model(tmp_path / "network.onnx", bias=0.5), LINAGE, 0.25, 3)
    assert (network.share, network.visits) == (0.25, 3)
    for count in (1, 3):
        priors, values = evaluated(network, PLANES[:count])
        assert np.allclose(priors, 1 / 17)
        assert np.allclose(values, np.tanh(0.5))


def test_a_file_for_any_size_is_taken(tmp_path):
    """The board's dimensions may be open; a board for which the model fails is refused."""
    file = model(tmp_path / "network.onnx", ("positions", 8, "rows", "columns"))
    assert load_network(file, LINAGE).visits == 8
    with pytest.raises(NetworkFailed, match=r"network\.onnx: .*MatMul") as caught:
        load_network(file, game("linage", size=5))
    assert "\n" not in str(caught.value)


WRONG = [
    (
        {"shape": ("positions", 8, 5, 5)},
        r"expected an input of 32-bit floats in the shape"
        r" \(positions, 8, 4, 4\), free in the number of positions; the model has tensor\(float\)"
        r" in the shape \(positions, 8, 5, 5\)",
    ),
    ({"shape": (1, 8, 4, 4)}, r"the model has tensor\(float\) in the shape \(1, 8, 4, 4\)"),
    ({"outputs": 1}, "expected 1 input, planes, and 2 outputs.*; the model has 1 and 1"),
    ({"priors": 16}, r"priors: expected the shape \(2, 17\), not \(2, 16\)"),
    ({"bias": np.nan}, r"values: a number is infinite or not a number \(NaN\)"),
]


@pytest.mark.parametrize(("arguments", "reason"), WRONG)
def test_a_file_that_does_not_fit_is_refused(tmp_path, arguments, reason):
    """A model with other shapes is refused in one line that says what was expected."""
    file = model(tmp_path / "network.onnx", **arguments)
    with pytest.raises(NetworkFailed, match=reason) as caught:
        load_network(file, LINAGE)
    assert str(caught.value).startswith("network: ")
    assert "\n" not in str(caught.value)


def test_a_file_that_is_no_model_is_refused(tmp_path):
    """A missing file and one with other content are refused in one line."""
    with pytest.raises(NetworkFailed, match=r"missing\.onnx: No such file"):
        load_network(tmp_path / "missing.onnx", LINAGE)
    (tmp_path / "text.onnx").write_text("text\n")
    reason = r"text\.onnx: not a model for ONNX Runtime: .*"
    with pytest.raises(NetworkFailed, match=reason) as caught:
        load_network(tmp_path / "text.onnx", LINAGE)
    assert "\n" not in str(caught.value)


def gtp(file, *options, told=""):
    command = [sys.executable, "-m", "linage_bot", "gtp", "--size", "4", "--visits", "60"]
    command += ["--solver", "off", "--seed", "1", "--network", str(file), *options]
    return subprocess.run(
        command, input=told, capture_output=True, text=True, timeout=200, check=False
    )


@pytest.mark.thorough
def test_gtp_plays_with_a_network(tmp_path):
    """`linage-bot gtp --network` plays, and says on another board why it cannot."""
    file = model(tmp_path / "network.onnx")
    done = gtp(file, told="genmove b\nboardsize 5\ngenmove b\nboardsize 4\ngenmove b\n")
    first, resized, refused, back, again = done.stdout.strip().split("\n\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert resized.strip() == back.strip() == "="
    assert refused.startswith(f"? network: {file}: expected an input")
    assert first[0] == again[0] == "="
    assert gtp(file, told="genmove b\n").stdout.strip() == first


def test_gtp_refuses_a_wrong_network_at_the_start(tmp_path):
    """A wrong model ends the command in one line, with exit status 2."""
    done = gtp(model(tmp_path / "network.onnx", ("positions", 8, 5, 5)))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("linage-bot: network: ")
    done = gtp("missing.onnx", "--network-share", "2")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
