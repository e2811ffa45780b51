"""`linage-bot analyze`: where its report goes, and one line for what a user can mend."""

import json

import pytest
from click.testing import CliRunner

from linage_bot.cli import main
from linage_bot.review import judging
from tests.linage_bot.html_pages import Page
from tests.linage_bot.review.games import RECORDS


def analyze(*arguments, stdin=None):
    return CliRunner().invoke(
        main, ["analyze", "--visits", "60", *map(str, arguments)], input=stdin
    )


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "game.sgf"
    path.write_text(RECORDS["leblin"], encoding="utf-8")
    return path


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_the_report_is_written_beside_the_record(file, tmp_path):
    """A page in the same folder, and one line that says where; a second run replaces it."""
    for _ in range(2):
        done = analyze(file)
        assert (done.exit_code, done.stdout) == (0, "")
        assert done.stderr == f"Report: {tmp_path / 'game.html'}\n"
        assert names(tmp_path) == ["game.html", "game.sgf"]
    page = (tmp_path / "game.html").read_text(encoding="utf-8")
    assert "Ann – Ben" in Page(page).text
    assert analyze(file, "-o", "-").stdout == page


def test_somebody_else_s_page_is_not_overwritten(file, tmp_path):
    """Unless it is named with -o."""
    other = tmp_path / "game.html"
    other.write_text("my notes", encoding="utf-8")
    done = analyze(file)
    assert done.exit_code == 2
    assert done.stderr.endswith("is there and no report of ours; name another file with -o\n")
    assert other.read_text(encoding="utf-8") == "my notes"
    assert analyze(file, "-o", other).exit_code == 0
    assert "Ann" in other.read_text(encoding="utf-8")


def test_json_goes_to_stdout_and_is_the_same_every_time(file, tmp_path):
    """No file is written unless one is named."""
    one, two = (analyze(file, "--json", "--seed", 7) for _ in range(2))
    assert (one.exit_code, one.stderr) == (0, "")
    assert one.stdout == two.stdout
    assert json.loads(one.stdout)["engine"]["seed"] == 7
    assert names(tmp_path) == ["game.sgf"]
    assert analyze(file, "--json", "--seed", 7, "-o", tmp_path / "facts.json").stdout == ""
    assert (tmp_path / "facts.json").read_text(encoding="utf-8") == one.stdout


def test_a_record_from_stdin_gives_a_page_on_stdout():
    """So that it can stand in a pipe; a Go record is read as the game named."""
    sgf = "(;GM[1]SZ[5];B[aa];W[bb])"
    done = analyze("-", "--game", "leblin", stdin=sgf)
    assert (done.exit_code, done.stderr) == (0, "")
    assert "Leblin 5x5" in Page(done.stdout).text


def test_seconds_bound_a_search_too(file):
    """The limit is told with the facts."""
    done = CliRunner().invoke(main, ["analyze", str(file), "--json", "--seconds", "0.001"])
    engine = json.loads(done.stdout)["engine"]
    assert (engine["seconds"], engine["visits"]) == (0.001, None)


def test_an_interrupt_leaves_nothing_behind(file, tmp_path, monkeypatch):
    """Ctrl-C in the middle of the searches: no report, no part of one."""
    real, calls = judging.opinion, []

    def interrupted(position, settings):
        calls.append(position)
        if len(calls) == 5:
            raise KeyboardInterrupt
        return real(position, settings)

    monkeypatch.setattr(judging, "opinion", interrupted)
    done = analyze(file)
    assert done.exit_code == 130
    assert names(tmp_path) == ["game.sgf"]


GO = "(;GM[1]SZ[9];B[aa])"


@pytest.mark.parametrize(
    ("arguments", "stdin", "message"),
    [
        (["-"], "what?", "stdin: SGF: no SGF data found"),
        (["-"], "(;GM[1]SZ[5]RU[linage])", "stdin: a game without moves"),
        (["-"], GO, "stdin: RU: names no game of ours"),
        (["-", "--game", "go"], GO, "--game: there is no game 'go'"),
        (["-"], "(;GM[1]SZ[99]RU[linage];B[aa])", "stdin: SZ[99]: "),
        (["-"], "(;SZ[5]RU[linage];B[aa];W[aa])", "stdin: move 2: white A5: there is a stone"),
        (["/no/such.sgf"], None, "/no/such.sgf: No such file or directory"),
        (["/dev/zero"], None, "/dev/zero: not a regular file"),
        (["-"], " " * (5 << 20), "stdin: SGF: longer than 4 MiB"),
        (["-", "-o", "/no/such/page.html"], RECORDS["leblin"], "/no/such: no such folder"),
        (["-", "-o", "/"], RECORDS["leblin"], "/: Is a directory"),
    ],
)
def test_a_mistake_is_one_line_and_status_2(arguments, stdin, message):
    """Told before any search, without a traceback."""
    done = analyze(*arguments, stdin=stdin)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"linage-bot: {message}"), done.stderr
    assert done.stderr.count("\n") == 1


def test_the_record_itself_is_never_overwritten(file):
    """`-o` with the record's own name is refused."""
    before = file.read_bytes()
    assert analyze(file, "-o", file).exit_code == 2
    assert file.read_bytes() == before
