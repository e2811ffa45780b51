"""A UGI session with our engine in this process; tests wait for its searches themselves."""

import queue

from linage_bot.rules import GAMES
from linage_bot.settings.playing import PlaySettings
from linage_bot.ugi import UgiEngine
from protocol.session.work import Reply
from protocol.ugi.engine import UgiSession

PATIENCE_SECONDS = 60


class Talk:
    def __init__(self, id_="linage", size=None, komi=None, options=None, **settings):
        game = GAMES[id_].configure(size, komi, options)
        self.engine = UgiEngine(game, PlaySettings(**settings))
        self._updates = queue.SimpleQueue()
        self.session = UgiSession(self.engine, self._start, self.engine.player.close)

    def _start(self, work):
        work.start(lambda update: self._updates.put((work, update)))

    def say(self, *lines):
        """Send lines and return the lines of the immediate response."""
        data = "".join(f"{line}\n" for line in lines).encode()
        return self.session.receive_data(data).decode().splitlines()

    def ask(self, *lines):
        """Send lines and return the only line of the immediate response."""
        (line,) = self.say(*lines)
        return line

    def wait(self):
        """Wait for the end of a search and return its lines."""
        said = []
        while True:
            work, update = self._updates.get(timeout=PATIENCE_SECONDS)
            said += self.session.update(work, update).decode().splitlines()
            if isinstance(update, Reply):
                return said

    def next(self):
        """Return the next line of a search."""
        work, update = self._updates.get(timeout=PATIENCE_SECONDS)
        return self.session.update(work, update).decode().rstrip()

    @property
    def idle(self):
        """Whether a search sends no line for a fifth of a second."""
        try:
            self._updates.put(self._updates.get(timeout=0.2))
        except queue.Empty:
            return True
        return False

    def think(self, *lines):
        """Send lines and return all lines until the end of their search."""
        return self.say(*lines) + self.wait()

    def best(self, *lines):
        """Return the best move of a search."""
        words = self.think(*lines)[-1].split()
        assert words[0] == "bestmove"
        assert len(words) == 2
        return words[1]
