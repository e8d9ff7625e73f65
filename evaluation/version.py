"""The version of the rules by which values are computed."""

RECIPE_VERSION = 1
"""Stored with every evaluation; raised when the same files would give other values."""
