"""Tests of the bench: its arithmetic and its inputs, no timing."""
