"""`linage-bot analyze`: where its report goes, and one line for each mistake."""

import json
import signal
import threading

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
    """The report is written beside the record, and a second run replaces it."""
    for _ in range(2):
        done = analyze(file)
        assert (done.exit_code, done.stdout) == (0, "")
        assert done.stderr == f"Report: {tmp_path / 'game.html'}\n"
        assert names(tmp_path) == ["game.html", "game.sgf"]
    page = (tmp_path / "game.html").read_text(encoding="utf-8")
    assert "Ann – Ben" in Page(page).text
    assert analyze(file, "-o", "-").stdout == page


def test_somebody_else_s_page_is_not_overwritten(file, tmp_path):
    """A page that is no report is overwritten only if it is named with `-o`."""
    other = tmp_path / "game.html"
    other.write_text("my notes", encoding="utf-8")
    done = analyze(file)
    assert done.exit_code == 2
    assert done.stderr.endswith(": exists and is not our report; name another file with -o\n")
    assert other.read_text(encoding="utf-8") == "my notes"
    assert analyze(file, "-o", other).exit_code == 0
    assert "Ann" in other.read_text(encoding="utf-8")


def test_json_goes_to_stdout_and_is_the_same_every_time(file, tmp_path):
    """`--json` prints to stdout, with the same output for the same seed."""
    one, two = (analyze(file, "--json", "--seed", 7) for _ in range(2))
    assert (one.exit_code, one.stderr) == (0, "")
    assert one.stdout == two.stdout
    assert json.loads(one.stdout)["engine"]["seed"] == 7
    assert names(tmp_path) == ["game.sgf"]
    assert analyze(file, "--json", "--seed", 7, "-o", tmp_path / "facts.json").stdout == ""
    assert (tmp_path / "facts.json").read_text(encoding="utf-8") == one.stdout


def test_a_record_from_stdin_gives_a_page_on_stdout():
    """A record from stdin gives a report on stdout."""
    sgf = "(;GM[1]SZ[5];B[aa];W[bb])"
    done = analyze("-", "--game", "leblin", stdin=sgf)
    assert (done.exit_code, done.stderr) == (0, "")
    assert "Leblin 5x5" in Page(done.stdout).text


def test_seconds_bound_a_search_too(file):
    """`--seconds` limits the search and appears in the output."""
    done = CliRunner().invoke(main, ["analyze", str(file), "--json", "--seconds", "0.001"])
    engine = json.loads(done.stdout)["engine"]
    assert (engine["seconds"], engine["visits"]) == (0.001, None)


def test_an_interrupt_leaves_nothing_behind(file, tmp_path, monkeypatch):
    """An interrupted analysis leaves no files behind."""
    real, calls = judging.opinion, []

    def interrupted(position, settings):
        calls.append(position)
        if len(calls) == 5:
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
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
        (["-"], "(;GM[1]SZ[5]RU[linage])", "stdin: the game has no moves"),
        (["-"], GO, "stdin: RU: names none of our games"),
        (["-", "--game", "go"], GO, "--game: there is no game 'go'"),
        (["-"], "(;GM[1]SZ[99]RU[linage];B[aa])", "stdin: SZ[99]: "),
        (["-"], "(;SZ[5]RU[linage];B[aa];W[aa])", "stdin: move 2: white A5: there is a stone"),
        (["/no/such.sgf"], None, "/no/such.sgf: No such file or directory"),
        (["/dev/zero"], None, "/dev/zero: not a regular file"),
        (["-"], " " * (5 << 20), "stdin: longer than 4 MiB"),
        (["-", "-o", "/no/such/page.html"], RECORDS["leblin"], "/no/such: no such folder"),
        (["-", "-o", "/"], RECORDS["leblin"], "/: Is a directory"),
    ],
)
def test_a_mistake_is_one_line_and_status_2(arguments, stdin, message):
    """A mistake in the arguments or the record is reported in one line, with status 2."""
    done = analyze(*arguments, stdin=stdin)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"linage-bot: {message}"), done.stderr
    assert done.stderr.count("\n") == 1


def test_the_record_itself_is_never_overwritten(file):
    """The record itself is never overwritten by its report."""
    before = file.read_bytes()
    assert analyze(file, "-o", file).exit_code == 2
    assert file.read_bytes() == before


GAMES = "".join((RECORDS["leblin"], "\n", RECORDS["gardar"], "(;SZ[5]RU[leblin];B[aa];W[aa])"))


@pytest.mark.thorough
def test_all_games_of_a_file_are_judged(tmp_path):
    """Every game of a file gets a numbered report, and a bad game is reported."""
    file = tmp_path / "games.sgf"
    file.write_text(GAMES, encoding="utf-8")
    done = analyze(file)
    assert (done.exit_code, done.stdout) == (2, "")
    pages = [tmp_path / "games-1.html", tmp_path / "games-2.html"]
    said = sorted(done.stderr.splitlines())
    assert said[:2] == [f"Report: {page}" for page in pages]
    assert said[2].startswith(f"linage-bot: {file}: game 3: move 2: white A5")
    assert said[3] == "linage-bot: 1 of 3 games could not be reviewed"
    file.write_text(RECORDS["gardar"], encoding="utf-8")
    assert pages[1].read_text(encoding="utf-8") == analyze(file, "-o", "-").stdout


def test_games_of_one_file_are_numbered_in_json(tmp_path):
    """Games of one file are numbered in JSON; pages of games from stdin need a folder."""
    done = analyze("-", "--json", stdin=GAMES)
    lines = sorted(map(json.loads, done.stdout.splitlines()), key=lambda line: line["index"])
    assert [(line["file"], line["index"]) for line in lines] == [("-", 1), ("-", 2)]
    assert [line["game"]["id"] for line in lines] == ["leblin", "gardar"]
    refused = analyze("-", stdin=GAMES)
    assert refused.exit_code == 2
    assert "need a folder" in refused.stderr
    assert analyze("-", "-o", tmp_path / "out", stdin=GAMES).exit_code == 2
    assert names(tmp_path / "out") == ["stdin-1.html", "stdin-2.html"]


def test_what_is_odd_about_a_file_is_told_and_the_game_judged():
    """Oddities of a file are reported, and the game is still analysed."""
    sgf = "(;CA[no-such]SZ[5]RU[leblin];B[aa];W[bb]"
    done = analyze("-", "--json", stdin=sgf)
    assert done.exit_code == 0
    assert done.stderr.splitlines() == [
        "linage-bot: stdin: CA[no-such]: unknown; read as UTF-8",
        "linage-bot: stdin: SGF: the last ) is missing; the game is read to the end of the file",
    ]


@pytest.fixture
def folder(tmp_path):
    """A folder with two games, one of them in a subfolder, and another file."""
    (tmp_path / "games" / "more").mkdir(parents=True)
    (tmp_path / "games" / "one.sgf").write_text(RECORDS["leblin"], encoding="utf-8")
    (tmp_path / "games" / "more" / "two.sgf").write_text(RECORDS["gardar"], encoding="utf-8")
    (tmp_path / "games" / "notes.txt").write_text("of mine", encoding="utf-8")
    return tmp_path / "games"


@pytest.mark.thorough
def test_of_a_folder_every_game_is_judged(folder, tmp_path):
    """Every game in a folder gets a report beside it, or in the folder named with `-o`."""
    done = analyze(folder)
    assert (done.exit_code, done.stdout) == (0, "")
    pages = [folder / "more" / "two.html", folder / "one.html"]
    assert sorted(done.stderr.splitlines()) == [f"Report: {page}" for page in pages]
    assert pages[1].read_text(encoding="utf-8") == analyze(folder / "one.sgf", "-o", "-").stdout
    assert analyze(folder, "-o", tmp_path / "out").exit_code == 0
    assert names(tmp_path / "out") == ["one.html", "two.html"]


def test_what_is_an_sgf_file_in_a_folder_goes_by_its_ending_in_any_case(folder):
    """Files that end in `.sgf` in any case are found, but not folders of such a name."""
    (folder / "OLD.SGF").write_text(RECORDS["leblin"], encoding="utf-8")
    (folder / "more" / "games.sgf").mkdir()
    done = analyze(folder)
    assert (done.exit_code, len(done.stderr.splitlines())) == (0, 3)
    assert f"Report: {folder / 'OLD.html'}" in done.stderr


def test_several_games_as_json_are_a_line_each(folder, tmp_path):
    """Several games give one line of JSON each, with the file's name."""
    files = [folder / "one.sgf", folder / "more" / "two.sgf"]
    done = analyze(*files, "--json")
    found = {each["file"]: each for each in map(json.loads, done.stdout.splitlines())}
    assert found.keys() == set(map(str, files))
    alone = json.loads(analyze(files[0], "--json").stdout)
    assert found[str(files[0])] == {"file": str(files[0]), **alone}
    assert analyze(*files, "--json", "-o", tmp_path / "all.jsonl").exit_code == 0
    lines = (tmp_path / "all.jsonl").read_text(encoding="utf-8").splitlines()
    assert sorted(lines) == sorted(done.stdout.splitlines())


def test_a_game_that_cannot_be_read_is_named_and_the_others_are_judged(folder):
    """A game that cannot be read is reported in one line, and the others are analysed."""
    (folder / "bad.sgf").write_text("(;SZ[5]RU[leblin];B[aa];W[aa])", encoding="utf-8")
    (folder / "empty.sgf").write_text("(;SZ[5]RU[leblin])", encoding="utf-8")
    (folder / "one.html").write_text("my notes", encoding="utf-8")
    done = analyze(folder, folder / "none.sgf")
    assert done.exit_code == 2
    lines = done.stderr.splitlines()
    assert f"Report: {folder / 'more' / 'two.html'}" in lines
    assert lines[-1] == "linage-bot: 4 of 5 games could not be reviewed"
    assert len(lines) == 6
    faults = (
        "bad.sgf: move 2",
        "empty.sgf: the game has no",
        "none.sgf: No such",
        "one.html: exists",
    )
    for words in faults:
        assert sum(f"{folder}/{words}" in line for line in lines) == 1
    assert (folder / "one.html").read_text(encoding="utf-8") == "my notes"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{folder}/more", "-o", "-"], "-o: the pages of several games need a folder"),
        (["{folder}", "-o", "{folder}/notes.txt"], "-o: {folder}/notes.txt: File exists"),
        (["{folder}/none"], "{folder}/none: No such file"),
        (["{empty}"], "{empty}: no SGF file in this folder"),
    ],
)
def test_what_is_wrong_with_several_is_told_before_any_search(folder, tmp_path, arguments, message):
    """Wrong arguments for several games are reported in one line before any search."""
    (tmp_path / "empty").mkdir()
    places = {"folder": folder, "empty": tmp_path / "empty"}
    done = analyze(*(word.format(**places) for word in arguments))
    assert done.exit_code == 2
    assert done.stderr.startswith("linage-bot: " + message.format(**places)), done.stderr
    assert done.stderr.count("\n") == 1


def test_two_games_of_one_name_do_not_share_a_report(folder, tmp_path):
    """Of two games whose reports would have the same name, the second is refused."""
    (folder / "more" / "one.sgf").write_text(RECORDS["gardar"], encoding="utf-8")
    done = analyze(folder, "-o", tmp_path / "out")
    assert done.exit_code == 2
    assert "one.sgf: its report would replace the report on" in done.stderr
    assert names(tmp_path / "out") == ["one.html", "two.html"]
