"""The version, also in pyproject.toml; a test holds the two together."""

__version__ = "0.5.0"
