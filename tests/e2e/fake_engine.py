"""A GTP engine that misbehaves as its command line says; standard library only.

    fake_engine.py [BEHAVIOUR[=COMMAND]] ...

A behaviour begins at COMMAND, or at once where none is named:

    fail         answer `? failed on purpose`
    hang         never answer, and answer nothing after it
    lie          answer `= lies`
    die          exit with status 3, without an answer
    crash        be killed by a signal, without an answer
    flood        answer a line without end
    chatter      answer twice
    garbage      write text that is not GTP
    complain     write a lot on standard error first
    close-stdin  close the standard input and live on
    close-stdout close the standard output and live on
    ignore-quit  answer quit, but stay, deaf to SIGTERM and end of input
    child        start a child process that never ends, and answer its process id
    moves=A1,B2  answer genmove with these, then with pass
"""

import os
import signal
import subprocess
import sys
import time

COMMANDS = {
    *("name", "version", "protocol_version", "list_commands", "known_command", "quit"),
    *("boardsize", "clear_board", "komi", "play", "genmove", "analyze"),
    *("echo", "lines", "sleep", "pid", "child"),
}


def main():
    options = dict(word.partition("=")[::2] for word in sys.argv[1:])
    moves = options.pop("moves", "").split(",")
    for behaviour, command in list(options.items()):
        if not command and behaviour != "ignore-quit":
            misbehave(behaviour)
    while True:
        line = sys.stdin.readline()
        if not line:
            if "ignore-quit" in options:
                signal.pause()
            return
        name, _, rest = line.partition("#")[0].strip().partition(" ")
        if not name:
            continue
        done = False
        for behaviour, command in options.items():
            if command == name and behaviour != "ignore-quit":
                done = misbehave(behaviour) or done
        if done:
            continue
        if name not in COMMANDS:
            say("? unknown command")
        elif name == "genmove":
            say(f"= {(moves.pop(0) if moves else '') or 'pass'}")
        elif name == "list_commands":
            say("= " + "\n".join(sorted(COMMANDS)))
        elif name == "known_command":
            say(f"= {'true' if rest in COMMANDS else 'false'}")
        elif name == "protocol_version":
            say("= 2")
        elif name in ("name", "version"):
            say(f"= {'Fake' if name == 'name' else '1'}")
        elif name == "echo":
            say(f"= {rest}")
        elif name == "lines":
            say("= " + "\n".join(f"line {number}" for number in range(int(rest))))
        elif name == "sleep":
            time.sleep(float(rest))
            say("= ")
        elif name == "pid":
            say(f"= {os.getpid()} {os.getpgrp()} {os.getppid()}")
        elif name == "child":
            misbehave("child")
        elif name == "analyze":
            write("=\n")
            for number in range(int(rest or 3)):
                write(f"info move A{number + 1}\n")
            sys.stdin.readline()
            write("play A1\n\n")
        else:
            say("= ")
        if name == "quit":
            if "ignore-quit" not in options:
                return
            signal.signal(signal.SIGTERM, signal.SIG_IGN)


def misbehave(behaviour):
    """Misbehave; return True if that replaces the answer."""
    if behaviour == "fail":
        say("? failed on purpose")
    elif behaviour == "hang":
        while True:
            time.sleep(60)
    elif behaviour == "lie":
        say("= lies")
    elif behaviour == "die":
        sys.stderr.write("dying on purpose\n")
        sys.stderr.flush()
        os._exit(3)
    elif behaviour == "crash":
        os.kill(os.getpid(), signal.SIGKILL)
    elif behaviour == "flood":
        write("= ")
        while True:
            write("x" * 65536)
    elif behaviour == "chatter":
        say("= once")
        say("= twice")
    elif behaviour == "garbage":
        write("Welcome to the shell!\n$ ")
    elif behaviour == "complain":
        sys.stderr.write("complaint\n" * 100_000)
        sys.stderr.flush()
        return False
    elif behaviour == "close-stdin":
        os.close(0)
        time.sleep(60)
    elif behaviour == "close-stdout":
        os.close(1)
        time.sleep(60)
    elif behaviour == "child":
        child = subprocess.Popen(["sleep", "600"])
        say(f"= {child.pid}")
    else:
        sys.exit(f"no such behaviour: {behaviour}")
    return True


def say(reply):
    write(reply + "\n\n")


def write(text):
    sys.stdout.write(text)
    sys.stdout.flush()


if __name__ == "__main__":
    main()
