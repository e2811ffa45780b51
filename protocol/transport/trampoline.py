"""The first moments of a child process: run as a script by a bare Python, it becomes the engine.

Arguments: the process id of the parent, a descriptor, and the engine's command line.  The engine
keeps the process id that its parent knows, as the leader of its own process group, so that all the
processes it starts can be killed with it.  On Linux it dies with its parent, even if that is
killed, and a guard then kills its group, for the engine may be a script that started the real one.
The descriptor closes when the engine runs, or first receives the reason why it cannot.

Imports only cheap modules: every engine starts through here.
"""

import os
import select
import signal
import sys

_ERROR_FD = 3  # low, so that the guard does not keep it


def main() -> None:
    """Become the engine, or report why not and exit with status 127."""
    parent, error_fd, *command_line = sys.argv[1:]
    if int(error_fd) != _ERROR_FD:
        os.dup2(int(error_fd), _ERROR_FD)
        os.close(int(error_fd))
    os.set_inheritable(_ERROR_FD, False)
    os.setpgid(0, 0)
    # Python ignores it, and the engine would inherit that.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    if sys.platform == "linux":
        _die_with_parent()
    if os.getppid() != int(parent):
        os._exit(1)  # the parent died before the signal was set up
    if sys.platform == "linux":
        _leave_guard()
    try:
        os.execvp(command_line[0], command_line)
    except OSError as error:
        os.write(_ERROR_FD, (error.strerror or "unknown error").encode())
        os._exit(127)


def _die_with_parent() -> None:
    try:
        import ctypes

        pr_set_pdeathsig = 1
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL, 0, 0, 0)
    except (ImportError, OSError, AttributeError):
        pass  # a C library without it: the engine then ends when its input does


def _leave_guard() -> None:
    """Leave a process in the group that kills the group, and itself, when the engine has ended.

    It is not the engine's child, so that the engine never has to wait for it.
    """
    try:
        engine = os.pidfd_open(os.getpid())
        child = os.fork()
    except (AttributeError, OSError):
        return  # an old system: the engine's own children then end when their input does
    if child == 0:
        try:
            if os.fork() == 0:
                _guard(engine)
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    os.close(engine)


def _guard(engine: int) -> None:
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    os.closerange(0, engine)  # else the engine's pipes would stay open with it
    os.closerange(engine + 1, engine + 64)
    select.select([engine], [], [])
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    main()
