"""Event streams keep the order, and a slow page gets the newest event of each kind."""

from linage_bot.web.messages.stream import Stream


class Page:
    """A replacement for a request, with the methods that a stream uses."""

    def __init__(self) -> None:
        self.written = b""
        self.headers: dict[str, str] = {}
        self.producer: object = None

    def setHeader(self, name: str, value: str) -> None:  # noqa: N802
        self.headers[name] = value

    def registerProducer(self, producer: object, streaming: bool) -> None:  # noqa: N802
        assert streaming
        self.producer = producer

    def write(self, data: bytes) -> None:
        self.written += data


def test_events_are_written_as_browsers_read_them() -> None:
    """Events have the format of server-sent events, with comments as keep-alives."""
    page = Page()
    stream = Stream(page)
    stream.send("table", '{"node":1}')
    stream.keep_alive()
    assert page.headers == {"Content-Type": "text/event-stream", "X-Accel-Buffering": "no"}
    assert page.producer is stream
    assert page.written == b'event: table\ndata: {"node":1}\n\n:\n\n'


def test_a_slow_page_gets_the_newest_of_each_kind() -> None:
    """A slow page gets only the newest event of each kind when it reads again."""
    page = Page()
    stream = Stream(page)
    stream.pauseProducing()
    for number in range(1000):
        stream.send("table", str(number))
        stream.send("graph", str(-number))
        stream.keep_alive()
    assert page.written == b""
    stream.resumeProducing()
    assert page.written == b"event: table\ndata: 999\n\nevent: graph\ndata: -999\n\n"
    stream.send("table", "5")
    assert page.written.endswith(b"data: 5\n\n")


def test_nothing_is_written_to_a_page_that_is_gone() -> None:
    """Nothing is sent to a page that has left."""
    page = Page()
    stream = Stream(page)
    stream.stopProducing()
    stream.send("table", "1")
    assert page.written == b""
