"""Slow commands on threads of their own."""

import queue
import threading

from linage_bot.engine.calls import EngineClosed
from linage_bot.engine.command_job import CommandJob
from protocol.session.errors import CommandFailed
from protocol.session.work import Reply, ReplyLine


def run(job: CommandJob) -> list:
    """Run a job and return all its updates."""
    updates: queue.Queue = queue.Queue()
    job.start(updates.put)
    heard = [updates.get(timeout=60)]
    while isinstance(heard[-1], ReplyLine):
        heard.append(updates.get(timeout=60))
    return heard


def test_what_a_job_returns_is_its_answer():
    """A job without progress sends one update, its result."""
    assert run(CommandJob(lambda _job: "done")) == [Reply(True, "done")]


def test_lines_are_reported_before_the_end():
    """Progress lines are reported in order, before the result."""

    def work(job: CommandJob) -> str:
        job.progress("one")
        job.progress("two")
        return "three"

    assert run(CommandJob(work)) == [ReplyLine("one"), ReplyLine("two"), Reply(True, "three")]


def test_a_job_runs_on_a_thread_that_the_process_does_not_wait_for():
    """A job runs on a daemon thread, so that a long search does not delay the exit."""
    seen = []
    run(CommandJob(lambda _job: seen.append(threading.current_thread()) or ""))
    assert seen[0] is not threading.current_thread()
    assert seen[0].daemon


def test_a_command_that_fails_fails_with_its_own_words():
    """The error message of a failed command is sent unchanged, because clients match it."""

    def work(_job: CommandJob) -> str:
        raise CommandFailed("illegal move: no")

    assert run(CommandJob(work)) == [Reply(False, "illegal move: no")]


def test_a_command_that_runs_when_its_client_has_gone_is_no_bug(caplog):
    """A search that begins after the engine was closed fails without a traceback in the log."""

    def work(_job: CommandJob) -> str:
        raise EngineClosed

    assert run(CommandJob(work)) == [Reply(False, "the engine is closed; create another one")]
    assert not caplog.records


def test_a_bug_in_a_job_becomes_an_answer_and_is_logged(caplog):
    """A bug in a job becomes an error response, and is logged."""

    def work(_job: CommandJob) -> str:
        raise ZeroDivisionError("on purpose")

    (update,) = run(CommandJob(work))
    assert update == Reply(False, "internal error: ZeroDivisionError('on purpose')")
    assert "a search failed" in caplog.text


def test_a_job_without_memory_is_refused_in_words_and_is_no_bug(caplog):
    """A job without memory is refused by a message that names the options to lower."""

    def work(_job: CommandJob) -> str:
        raise MemoryError

    (update,) = run(CommandJob(work))
    assert not update.ok
    assert update.text.startswith("out of memory: start with fewer --nodes or --threads")
    assert not caplog.text


def test_stop_is_seen_by_the_job():
    """A job sees a stop request, which may be repeated."""
    job = CommandJob(lambda job: "stopped" if job.stopped.wait(60) else "never")
    updates: queue.Queue = queue.Queue()
    job.start(updates.put)
    job.stop()
    job.stop()
    assert updates.get(timeout=60) == Reply(True, "stopped")


def test_the_end_of_input_stops_only_what_would_not_end_by_itself():
    """The end of input stops a job only if it would not end by itself."""
    for ends_by_itself in (True, False):
        job = CommandJob(lambda _job: "", ends_by_itself=ends_by_itself)
        job.input_ended()
        assert job.stopped.is_set() == (not ends_by_itself)


def test_who_starts_a_job_does_not_wait_until_its_thread_runs(monkeypatch):
    """Starting a job does not wait for its thread to run."""
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
    """If no thread can be started, the client gets an error and does not wait for ever."""
    updates = queue.Queue()
    run(CommandJob(lambda _job: "so that what starts threads is there"))

    def fail(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", fail)
    CommandJob(lambda _job: "never").start(updates.put)
    reply = updates.get(timeout=60)
    assert not reply.ok
    assert reply.text.startswith("out of memory: start with fewer --nodes or --threads")
