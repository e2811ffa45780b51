"""`python -m linage_bot` is `linage-bot`."""

from linage_bot.cli import main

main()
