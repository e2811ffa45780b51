"""Events to a page: in order, and the newest of each kind to one that does not keep up."""

from linage_bot.web.messages.stream import Stream


class Page:
    """The writing end of a request, as far as a stream uses it."""

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
    """A comment keeps the line open."""
    page = Page()
    stream = Stream(page)
    stream.send("table", '{"at":1}')
    stream.keep_alive()
    assert page.headers == {"Content-Type": "text/event-stream", "X-Accel-Buffering": "no"}
    assert page.producer is stream
    assert page.written == b'event: table\ndata: {"at":1}\n\n:\n\n'


def test_a_slow_page_gets_the_newest_of_each_kind() -> None:
    """However long it does not read, no more than that is kept for it."""
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
    """Not even later."""
    page = Page()
    stream = Stream(page)
    stream.stopProducing()
    stream.send("table", "1")
    assert page.written == b""
