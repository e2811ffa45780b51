"""The entry point of `python -m linage_bot`, and of the script `linage-bot`, which calls `main`.

Modules are imported only inside functions, so that Ctrl-C is handled as early as possible.
"""

_INTERRUPTED = 130  # the exit status after Ctrl-C that shells expect


def main() -> None:
    """Run the command line.

    Ctrl-C ends the process without a traceback, also while modules are still imported and while the
    interpreter shuts down. In between it raises `KeyboardInterrupt`, unless the command handles it.
    """
    try:
        _run()
    except KeyboardInterrupt:
        raise SystemExit(_INTERRUPTED) from None


def _run() -> None:
    import signal

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
