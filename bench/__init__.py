"""What `make bench` measures: ratios side by side, never part of the tests."""
