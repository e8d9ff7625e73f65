"""The names of the queues."""

QUEUES = ("checking", "scoring", "rescoring", "housekeeping")
