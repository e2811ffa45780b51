"""A CGOS server's side of a conversation, over any transport."""

from abc import ABC, abstractmethod

PASSWORD = "s3cret-word"
SETUP = "setup 7 9 5.5 60000 rival(1800?) linus(1500)"  # linus is black


class Talk(ABC):
    """A connection as the server sees it, which checks the client's lines."""

    @abstractmethod
    def send(self, data: bytes) -> None:
        """Send bytes to the client."""

    @abstractmethod
    def hear(self) -> str:
        """Return the next line, or an empty one if the client has closed the connection."""

    def say(self, *lines: str) -> None:
        self.send("".join(f"{line}\n" for line in lines).encode())

    def expect(self, line: str) -> None:
        assert self.hear() == line

    def ask(self, question: str, answer: str) -> None:
        self.say(question)
        self.expect(answer)

    def login(self, protocol: str = "protocol genmove_analyze", name: str = "linus") -> None:
        self.say(protocol)
        words = self.hear().split()
        assert words[0] == "e1"
        assert ("genmove_analyze" in words) == ("genmove_analyze" in protocol)
        self.ask("username", name)
        self.ask("password", PASSWORD)

    def play_a_game(self, setup: str = SETUP) -> None:
        """Play two moves, after which the opponent resigns."""
        self.say(setup)
        self.ask("genmove b 60000", "A1")
        self.say("play w B2 59000")
        self.ask("genmove b 59500", "C3")
        self.say("gameover 2026-01-31 B+Resign")
