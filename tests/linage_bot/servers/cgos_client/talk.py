"""What a CGOS server says to the client and hears from it, over whatever carries the lines."""

from abc import ABC, abstractmethod

PASSWORD = "s3cret-word"
SETUP = "setup 7 9 5.5 60000 rival(1800?) linus(1500)"  # linus is black


class Talk(ABC):
    """One connection, as the server sees it. What it hears must be what is expected."""

    @abstractmethod
    def send(self, data: bytes) -> None:
        """Bytes for the client."""

    @abstractmethod
    def hear(self) -> str:
        """The next line; empty if the client has gone."""

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
        """Two moves and the opponent's resignation."""
        self.say(setup)
        self.ask("genmove b 60000", "A1")
        self.say("play w B2 59000")
        self.ask("genmove b 59500", "C3")
        self.say("gameover 2026-01-31 B+Resign")
