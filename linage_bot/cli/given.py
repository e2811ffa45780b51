"""The options that the user gave to the command that runs, as opposed to those by default."""

from collections.abc import Container

import click
from click.core import ParameterSource


def given(name: str) -> bool:
    """Return whether the option with a parameter of this name is on the command line."""
    source = click.get_current_context().get_parameter_source(name)
    return source is ParameterSource.COMMANDLINE


def given_besides(usual: Container[str]) -> str | None:
    """Return the first option on the command line whose parameter is not in `usual`, if any."""
    for each in click.get_current_context().command.params:
        if each.name is not None and each.name not in usual and given(each.name):
            return each.opts[0]
    return None
