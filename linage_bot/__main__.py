"""The entry point of `python -m linage_bot`, and of the script `linage-bot`, which calls `main`.

All but `sys` is imported only inside functions, so that Ctrl-C is handled as early as possible.
"""

import sys

# Garbage is collected after this many new objects: more than imports create, which all stay.
_NEW_OBJECTS = 100_000
_INTERRUPTED = 130  # the exit status after Ctrl-C that shells expect


def main() -> None:
    """Run the command line.

    Ctrl-C ends the process without a traceback, also while modules are still imported and while the
    interpreter shuts down. In between it raises `KeyboardInterrupt`, unless the command handles it.
    A Python that runs without its global lock is refused: nothing was tested with it.
    """
    if not getattr(sys, "_is_gil_enabled", lambda: True)():  # Python 3.13 and later have it
        sys.stderr.write("linage-bot: free-threaded Python is not supported; use the usual build\n")
        raise SystemExit(2)
    try:
        _run()
    except KeyboardInterrupt:
        raise SystemExit(_INTERRUPTED) from None


def _run() -> None:
    import gc
    import signal

    gc.set_threshold(_NEW_OBJECTS)

    # Background jobs of a shell ignore Ctrl-C and must keep ignoring it.
    handled = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if handled:
        signal.signal(signal.SIGINT, _exit)
    from linage_bot.cli import main as command_line

    try:
        if handled:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        command_line()
    finally:
        if handled:
            signal.signal(signal.SIGINT, _exit)


def _exit(_number: int, _frame: object) -> None:
    import os

    os._exit(_INTERRUPTED)


if __name__ == "__main__":
    main()
