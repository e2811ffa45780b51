"""The version of the package. Nothing is imported here, so every module may import it."""

__version__ = "1.0.0"
