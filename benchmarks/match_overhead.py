"""The match runner's own time per move: python benchmarks/match_overhead.py [GAMES]

The two engines answer at once; they are written in C and compiled here with `cc`. They play the
points in order, then pass. Each move takes two round trips, `play` to one engine and `genmove` to
the other, and the engines' own work is included. Prints the wall time per move in microseconds,
with and without our referee, for one game at a time and for two. Without the referee the limits to
keep are 120 (one game) and 80 (two).

For scale, on the same 2-core machine: gogui-twogtp 135 and 107, Gomill 301 and 160, fastchess 42
and 21.
"""

import io
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from twisted.internet import reactor
from twisted.internet.defer import Deferred

from linage_bot.match.command import run
from linage_bot.settings.match import EngineSettings, GameSettings, MatchSettings

STUB = r"""
#include <stdio.h>
#include <string.h>
#define SIZE 19
/* Fill the lower rows point by point, which Parity Linage allows; then pass. */
static int next_point, limit = 150;
static void vertex(char *text) {
    int column = next_point % SIZE, row = next_point / SIZE;
    sprintf(text, "%c%d", "ABCDEFGHJKLMNOPQRSTUVWXYZ"[column], row + 1);
}
int main(void) {
    static char line[1 << 16];
    static char out[1 << 12];
    setvbuf(stdout, out, _IOFBF, sizeof out);
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "genmove", 7)) {
            char text[8];
            if (next_point < limit) { vertex(text); next_point++; printf("= %s\n\n", text); }
            else printf("= pass\n\n");
        } else if (!strncmp(line, "play", 4)) {
            next_point++;
            fputs("= \n\n", stdout);
        } else if (!strncmp(line, "clear_board", 11)) {
            next_point = 0;
            fputs("= \n\n", stdout);
        } else if (!strncmp(line, "list_commands", 13)) {
            fputs("= play\ngenmove\nboardsize\nclear_board\nquit\n\n", stdout);
        } else fputs("= \n\n", stdout);
        fflush(stdout);
        if (!strncmp(line, "quit", 4)) return 0;
    }
    return 0;
}
"""


def compile_stub(folder):
    source, program = folder / "stub.c", folder / "stub"
    source.write_text(STUB)
    subprocess.run(["cc", "-O2", "-o", program, source], check=True)
    return str(program)


async def measure(folder, program, games, concurrency, referee):
    """Play a match and return the microseconds per move."""
    out = folder / f"{concurrency}-{referee}"
    settings = MatchSettings(
        games=games,
        out=str(out),
        engines=(EngineSettings((program,), "one"), EngineSettings((program,), "two")),
        game=GameSettings("linage-parity", size=19),
        concurrency=concurrency,
        referee=referee,
    )
    begun = time.perf_counter()
    await run(reactor, settings, Console(file=io.StringIO()))
    seconds = time.perf_counter() - begun
    lines = (out / "results.jsonl").read_text().splitlines()[1:]
    records = [json.loads(line) for line in lines]
    assert len(records) == games
    assert {record["ending"] for record in records} == {"score"}, records[0]["reason"]
    return seconds / sum(len(record["moves"]) for record in records) * 1e6


async def main():
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = compile_stub(folder)
        for referee in (False, True):
            for concurrency in (1, 2):
                cost = await measure(folder, program, games, concurrency, referee)
                print(
                    f"referee {'on ' if referee else 'off'}, {concurrency} at a time:"
                    f" {cost:.0f} us a move"
                )
    reactor.stop()


if __name__ == "__main__":
    reactor.callWhenRunning(lambda: Deferred.fromCoroutine(main()).addErrback(fail))

    def fail(failure):
        failure.printTraceback()
        reactor.stop()

    reactor.run()
