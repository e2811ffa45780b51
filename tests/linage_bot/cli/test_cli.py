"""The command line: its output, and one line for each of the user's mistakes."""

import json
import os
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from linage_bot import __version__
from linage_bot.cli import main
from linage_bot.rules import GAMES
from tests.examples import some_quick


def run(*arguments: str):
    return CliRunner().invoke(main, arguments, prog_name="linage-bot")


def python(code: str) -> str:
    """Return the output of a fresh interpreter."""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.stderr, done.returncode) == ("", 0)
    return done.stdout


# ------------------------------------------------------------------- starting at once

HEAVY = (
    "{'numba', 'numpy', 'llvmlite', 'scipy', 'matplotlib', 'jinja2', 'rich', 'cattrs', 'treq',"
    " 'dask'}"
)


def test_importing_the_command_line_loads_nothing_heavy():
    """Importing the command line loads no heavy modules, so that `--help` is fast."""
    code = (
        f"import sys, linage_bot.cli; print({HEAVY} & set(sys.modules), 'twisted' in sys.modules)"
    )
    assert python(code) == "set() False\n"


def test_a_command_loads_no_other_command():
    """A command that runs imports its own module only."""
    code = """
import contextlib, sys
from linage_bot.cli import main
with contextlib.suppress(SystemExit):
    main(["games", "--help"])
print({"linage_bot.cli.gtp", "linage_bot.cli.web", "webbrowser"} & set(sys.modules))
"""
    assert python(code).endswith("set()\n")


@pytest.mark.parametrize("command", ["match.command", "match.ladder", "match.pair_process"])
def test_a_match_starts_without_what_only_its_report_needs(command):
    """NumPy, for a list of ratings, and Jinja2, for a page, are not loaded before the games."""
    code = f"import sys, linage_bot.{command}; print({{'numpy', 'jinja2'}} & set(sys.modules))"
    assert python(code) == "set()\n"


def test_answering_what_guis_ask_first_loads_nothing_heavy():
    """The first questions of a GUI are answered without loading heavy modules."""
    code = f"""
import sys
from linage_bot.settings.playing import PlaySettings
from linage_bot.rules import GAMES
from linage_bot.gtp import GtpEngine, commands
from protocol.gtp.engine import EngineSession
import protocol.transport.serving
started = []
for game in GAMES.values():
    session = EngineSession(commands, GtpEngine(game.configure(), PlaySettings()), started.append)
    rules = [name for name in sorted(commands) if name.startswith("gogui-rules_")]
    lines = ["name", "version", "list_commands", "protocol_version", "boardsize 9", "komi 0.5",
             "clear_board", "play b C3", "showboard", "printsgf", "undo",
             "kata-get-rules", "gogui-analyze_commands", *rules]
    output = session.receive_data("\\n".join(lines + [""]).encode())
    assert output.startswith(b"= linage-bot\\n") and b"\\n\\n?" not in output, output
    assert not started
print({HEAVY} & set(sys.modules))
"""
    assert python(code) == "set()\n"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc is Linux's")
def test_before_its_first_search_the_process_takes_less_than_60_mb():
    """Before its first search the engine takes less than 60 MB, even on 19x19."""
    engine = subprocess.Popen(
        [sys.executable, "-m", "linage_bot", "gtp", "--size", "19"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with engine:
        engine.stdin.write(b"list_commands\nplay b D4\ngogui-rules_legal_moves\nshowboard\nname\n")
        engine.stdin.flush()
        while engine.stdout.readline() != b"= linage-bot\n":
            pass
        with open(f"/proc/{engine.pid}/status", encoding="utf-8") as status:  # noqa: PTH123
            peak = next(line for line in status if line.startswith("VmHWM"))
        engine.stdin.close()
    assert int(peak.split()[1]) < 60 * 1024, peak


# ------------------------------------------------------------------- games, perft, help


def test_games_lists_every_game_with_all_its_options():
    """`games` lists every game with author, year and options."""
    text = run("games").output
    for game in GAMES.values():
        assert f"{game.id}: {game.name}, {game.author}, {game.year}" in text
        for name in game.options():
            assert f"    {name}=" in text


@pytest.mark.parametrize(
    ("arguments", "counts"),
    [
        (["3", "--size", "3"], [10, 83, 502]),
        (["3", "--size", "4"], [17, 265, 3648]),
        (["2", "--size", "3", "--set", "edition=2016"], [10, 83]),
        (["2", "--game", "leblin", "--size", "5"], [25, 600]),
        (["2", "--game", "gardar", "--size", "3"], [20, 381]),
        (["0"], []),
    ],
)
def test_perft_prints_a_depth_and_a_count_a_line(arguments, counts):
    """`perft` prints the known number of move sequences for each depth."""
    done = run("perft", *arguments)
    expected = [f"{depth} {count}" for depth, count in enumerate(counts, 1)]
    assert (done.output.splitlines(), done.exit_code) == (expected, 0)


@pytest.mark.parametrize("command", [[], *([name] for name in main.commands)])
def test_every_command_explains_itself_and_each_of_its_options(command):
    """Every command and option has a help text."""
    done = run(*command, "--help")
    assert done.exit_code == 0
    assert done.output.startswith("Usage: linage-bot")
    for parameter in main.commands[command[0]].params if command else main.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.name
    for name in () if command else main.commands:
        (line,) = (line for line in done.output.splitlines() if line.split()[:1] == [name])
        assert not line.endswith("...")


def test_a_komi_may_have_a_decimal_comma():
    """A komi may have a decimal comma, and an invalid one is refused with the reason."""
    assert run("perft", "--size", "3", "--komi", "6,5", "1").stdout == "1 10\n"
    refused = run("perft", "--size", "3", "--komi", "3,75", "1")
    assert refused.stderr == "linage-bot: --komi: 3.75 is not a multiple of 0.5\n"


def test_without_a_command_the_help_is_shown_as_an_error():
    """Without a command the help is printed to stderr, with status 2."""
    done = run()
    assert done.exit_code == 2
    assert done.stderr.startswith("Usage: linage-bot [OPTIONS] COMMAND")


def test_the_version_is_told():
    """`--version` begins with the program's name and version, on a line of their own."""
    assert run("--version").output.startswith(f"linage-bot, version {__version__}\ncommit: ")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nosuch"], "nosuch"),
        (["--nosuch"], "--nosuch"),
        (["gtp", "extra"], "extra"),
        (["gtp", "--game", "chess"], "--game: there is no game 'chess'"),
        (["gtp", "--size", "2"], "--size: a 2x2 board does not exist"),
        (["gtp", "--size", "26"], "--size: "),
        (["gtp", "--size", "9x"], "--size: "),
        (["gtp", "--komi", "nan"], "--komi: "),
        (["gtp", "--komi", "inf"], "--komi: "),
        (["gtp", "--komi", "0.3"], "--komi: 0.3 is not a multiple of 0.5"),
        (["gtp", "--komi", "x"], "'--komi'"),
        (["gtp", "--game", "leblin", "--komi", "1"], "--komi: Leblin has no komi"),
        (["gtp", "--set", "line"], "--set: expected NAME=VALUE"),
        (["gtp", "--set", "line=9"], "--set line: "),
        (["gtp", "--set", "colour=red"], "--set colour: Linage has no such option"),
        (["gtp", "--visits", "0"], "'--visits'"),
        (["gtp", "--visits", "1.5"], "'--visits'"),
        (["gtp", "--seconds", "-1"], "'--seconds'"),
        (["gtp", "--seconds", "nan"], "'--seconds'"),
        (["gtp", "--seconds", "inf"], "'--seconds'"),
        (["gtp", "--threads", "0"], "'--threads'"),
        (["gtp", "--nodes", "100"], "'--nodes'"),
        (["gtp", "--seed", "-1"], "'--seed'"),
        (["gtp", "--resign", "2"], "'--resign'"),
        (["gtp", "--resign", "nan"], "'--resign'"),
        (["gtp", "--resign", "often"], "'--resign'"),
        (["perft"], "DEPTH"),
        (["perft", "-1"], "-1"),
        (["perft", "x"], "'x' is not a valid integer."),
        (["warm", "lin"], "linage-bot: warm: there is no game 'lin'; the games are linage, "),
        (["bench", "--runs", "0"], "'--runs'"),
        (["bench", "--run-seconds", "nan"], "'--run-seconds'"),
        (["bench", "--run-seconds", "x"], "'x' is not a valid number."),
    ],
    ids=" ".join,
)
def test_what_a_user_can_fix_is_one_line_on_stderr_and_status_2(arguments, words):
    """A wrong option is reported in one line on stderr, with status 2."""
    done = run(*arguments)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("linage-bot: ")
    assert words in done.stderr


@pytest.mark.parametrize(
    ("endpoint", "reason"),
    some_quick(
        [
            ("", "begin with one of tcp, tcp6, ssl, unix, systemd"),
            ("tcp", "the port is missing"),
            ("tcp:x", "port 'x' is not a number from 0 to 65535"),
            ("tcp:-1", "port '-1' is not a number"),
            ("tcp:99999999", "port '99999999' is not a number"),
            ("tcp:0:a=b", "there is no option 'a'"),
            ("nosuch:1", "begin with one of"),
            ("tcp:0:interface=no.such.", "'tcp:0:interface=no.such.': "),
            ("tcp:0:interface=192.0.2.1", "'tcp:0:interface=192.0.2.1': "),
            ("ssl:0:privateKey=/no/such", "/no/such: No such file or directory"),
            (f"ssl:0:privateKey={__file__}", "no key with its certificate"),
            (f"ssl:0:privateKey={__file__}:sslmethod=x", "not an endpoint that can be used"),
            ("unix:/no/such/folder/x", "No such file or directory"),
            ("systemd:INET:index=0", "systemd provides no such socket"),
        ],
        "tcp:x",
        "tcp:0:interface=192.0.2.1",
        "ssl:0:privateKey=/no/such",
        "unix:/no/such/folder/x",
    ),
)
def test_an_address_that_cannot_be_listened_on_is_one_line_and_status_2(endpoint, reason):
    """An address that cannot be used is reported in one line, with status 2."""
    done = subprocess.run(
        [sys.executable, "-m", "linage_bot", "gtp", "--listen", endpoint],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("linage-bot: --listen: ")
    assert reason in done.stderr
    assert done.stderr.count("\n") == 1
    for word in ("()", "Errno", "literal", "argument", "Couldn't"):  # of Twisted or Python
        assert word not in done.stderr


@pytest.mark.parametrize(
    "endpoint",
    some_quick(
        [
            "tcp:0:interface=0.0.0.0",
            "tcp:interface=0.0.0.0:port=0",
            r"tcp6:0:interface=\:\:",
            "haproxy:tcp:0",
        ],
        "tcp:interface=0.0.0.0:port=0",
    ),
)
def test_to_let_other_machines_in_one_has_to_say_so(endpoint):
    """An address that other machines can reach is refused without `--expose`."""
    done = subprocess.run(
        [sys.executable, "-m", "linage_bot", "gtp", "--listen", endpoint],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("linage-bot: --listen: others can reach ")
    assert done.stderr.endswith("; add --expose to allow that\n")


# ------------------------------------------------------------------- bench, warm


@pytest.mark.thorough
def test_bench_prints_json_of_the_game_asked_for():
    """`bench` prints JSON for the size that is given."""
    done = run("bench", "--size", "3", "--run-seconds", "0.01", "--runs", "1")
    found = json.loads(done.stdout)
    assert [each["size"] for each in found["playouts"] + found["search"]] == ["3", "3"]


@pytest.mark.thorough
def test_bench_without_a_size_measures_the_sizes_of_reference():
    """`bench` without a size measures the reference sizes."""
    done = run("bench", "--run-seconds", "0.01", "--runs", "1", "--komi", "2.5")
    found = json.loads(done.stdout)
    assert [each["size"] for each in found["playouts"]] == ["9", "13", "19"]
    assert [each["size"] for each in found["search"]] == ["13"]


def test_warm_says_what_is_ready_and_where_it_is_kept():
    """`warm` prints the compiled game and the folder of the cache."""
    done = run("warm", "linage")
    assert done.exit_code == 0
    ready, kept = done.stdout.splitlines()
    assert ready == "linage: ready"
    assert os.path.isdir(kept.removeprefix("stored in "))  # noqa: PTH112


PATHS = [
    path
    for name, command in main.commands.items()
    for path in (
        [(name, each) for each in command.commands]
        if isinstance(command, click.Group)
        else [(name,)]
    )
]


@pytest.mark.parametrize("path", PATHS, ids=" ".join)
def test_every_command_takes_v_before_and_behind_its_name(path):
    """`-v` is accepted before and after the name of every command, and is in its help."""
    for place in range(len(path) + 1):
        done = run(*path[:place], "-v", *path[place:], "--help")
        assert done.exit_code == 0, done.stderr
        assert "-v, --verbose" in done.output


@pytest.mark.parametrize(
    "words",
    some_quick(
        ["-v connect cgos x", "connect -v cgos x", "connect cgos x -v"], "connect -v cgos x"
    ),
)
def test_v_tells_more_wherever_it_stands(words):
    """`-v` enables debug messages of this program and not of its libraries."""
    code = f"""
import logging
from linage_bot.cli import main
try: main({words.split()})
except SystemExit: pass
print(*(logging.getLogger(n).isEnabledFor(logging.DEBUG) for n in ('linage_bot', 'numba')))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.stdout == "True False\n"
    assert done.stderr == "linage-bot: x: No such file or directory\n"


def test_libraries_do_not_speak_under_our_name():
    """The log leaves out the libraries' informational messages."""
    code = (
        "import logging; from linage_bot.cli import main\n"
        "try: main(['games'])\n"
        "except SystemExit: pass\n"
        "print([logging.getLogger(n).isEnabledFor(logging.INFO)"
        " for n in ('numba', 'matplotlib.font_manager', 'linage_bot')])"
    )
    assert python(code).splitlines()[-1] == "[False, False, True]"


@pytest.mark.parametrize("command", [("match",), ("serve", "cgos"), ("connect", "cgos")])
@pytest.mark.parametrize(
    ("text", "line"),
    [
        (None, "No such file or directory"),
        ("qqq = 3\n= 4", "Invalid statement (at line 2, column 1)"),
        ("qqq = 3", "qqq: unknown key; there are "),
    ],
)
def test_a_settings_file_that_is_wrong_is_named_with_its_key(tmp_path, command, text, line):
    """A fault in a settings file is reported with the file, the key and the reason."""
    file = tmp_path / "my.toml"
    if text is not None:
        file.write_text(text)
    result = run(*command, str(file))
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert result.stderr.startswith(f"linage-bot: {file}: {line}")
