"""Linage on Abstract Play, where people play it: the site's notation, and a bot for it."""
