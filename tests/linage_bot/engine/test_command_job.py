"""Slow commands on threads of their own."""

import queue
import threading

from linage_bot.engine.command_job import CommandJob
from protocol.session.errors import CommandFailed
from protocol.session.work import Reply, ReplyLine


def run(job: CommandJob) -> list:
    """All that a job reports, and on which thread the last of it came."""
    updates: queue.Queue = queue.Queue()
    job.start(updates.put)
    heard = [updates.get(timeout=60)]
    while isinstance(heard[-1], ReplyLine):
        heard.append(updates.get(timeout=60))
    return heard


def test_what_a_job_returns_is_its_answer():
    """One update and nothing else, where there is no progress to tell."""
    assert run(CommandJob(lambda _job: "done")) == [Reply(True, "done")]


def test_lines_are_reported_before_the_end():
    """In the order in which they were told."""

    def work(job: CommandJob) -> str:
        job.progress("one")
        job.progress("two")
        return "three"

    assert run(CommandJob(work)) == [ReplyLine("one"), ReplyLine("two"), Reply(True, "three")]


def test_a_job_runs_on_a_thread_that_the_process_does_not_wait_for():
    """Who quits is not kept waiting by an hour of search."""
    seen = []
    run(CommandJob(lambda _job: seen.append(threading.current_thread()) or ""))
    assert seen[0] is not threading.current_thread()
    assert seen[0].daemon


def test_a_command_that_fails_fails_with_its_own_words():
    """Clients match on them, so nothing is put before or behind."""

    def work(_job: CommandJob) -> str:
        raise CommandFailed("illegal move: no")

    assert run(CommandJob(work)) == [Reply(False, "illegal move: no")]


def test_a_bug_in_a_job_becomes_an_answer_and_is_logged(caplog):
    """The client hears of it and goes on; the log has what is needed to find it."""

    def work(_job: CommandJob) -> str:
        raise ZeroDivisionError("on purpose")

    (update,) = run(CommandJob(work))
    assert update == Reply(False, "internal error: ZeroDivisionError('on purpose')")
    assert "a search failed" in caplog.text


def test_a_job_without_memory_is_refused_in_words_and_is_no_bug(caplog):
    """The answer names the options to lower; the log has nothing to mend."""

    def work(_job: CommandJob) -> str:
        raise MemoryError

    (update,) = run(CommandJob(work))
    assert not update.ok
    assert update.text.startswith("out of memory: start with fewer --nodes or --threads")
    assert not caplog.text


def test_stop_is_seen_by_the_job():
    """Saying it twice does no harm."""
    job = CommandJob(lambda job: "stopped" if job.stopped.wait(60) else "never")
    updates: queue.Queue = queue.Queue()
    job.start(updates.put)
    job.stop()
    job.stop()
    assert updates.get(timeout=60) == Reply(True, "stopped")


def test_the_end_of_input_stops_only_what_would_not_end_by_itself():
    """A piped script still gets the answers that need no clock."""
    for ends_by_itself in (True, False):
        job = CommandJob(lambda _job: "", ends_by_itself=ends_by_itself)
        job.input_ended()
        assert job.stopped.is_set() == (not ends_by_itself)


def test_who_starts_a_job_does_not_wait_until_its_thread_runs(monkeypatch):
    """On a busy machine that takes long, and everybody else would wait for it."""
    may_run, updates = threading.Event(), queue.Queue()
    run(CommandJob(lambda _job: "so that what starts threads is there"))
    begin = threading.Thread.start

    def start_late(thread: threading.Thread) -> None:
        may_run.wait(60)
        begin(thread)

    monkeypatch.setattr(threading.Thread, "start", start_late)
    CommandJob(lambda _job: "done").start(updates.put)
    assert updates.empty()
    may_run.set()
    assert updates.get(timeout=60) == Reply(True, "done")


def test_a_system_without_room_for_another_thread_is_an_answer(monkeypatch):
    """The client hears of it and does not wait for a move for ever."""
    updates = queue.Queue()
    run(CommandJob(lambda _job: "so that what starts threads is there"))

    def fail(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", fail)
    CommandJob(lambda _job: "never").start(updates.put)
    reply = updates.get(timeout=60)
    assert not reply.ok
    assert reply.text.startswith("out of memory: start with fewer --nodes or --threads")
