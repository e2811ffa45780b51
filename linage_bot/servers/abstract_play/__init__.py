"""Linage on the site Abstract Play: the site's notation, and a bot that plays there."""
