"""Shapes of boards, submissions and the caller's own account, for the schema."""

from __future__ import annotations

from rest_framework import serializers as s

from campaigns.api.shapes import PairReceipt, Receipt


class BoardFacts(s.Serializer):
    """Which numbers a board holds."""

    subject = s.CharField()
    number = s.IntegerField()
    original = s.CharField(allow_null=True)
    qrels = s.DictField(allow_null=True)
    original_qrels = s.DictField(allow_null=True)
    is_current = s.BooleanField()
    is_being_rescored = s.BooleanField()
    ranked_at = s.DateTimeField(allow_null=True)


class Column(s.Serializer):
    """A column of a board."""

    key = s.CharField()
    label = s.CharField()
    goal = s.CharField(help_text="high, low, target or none")
    target = s.FloatField(allow_null=True)
    is_primary = s.BooleanField()
    passport = s.DictField(allow_null=True)


class Row(s.Serializer):
    """A row of a board."""

    rank = s.IntegerField(allow_null=True)
    is_shared = s.BooleanField()
    team = s.CharField(allow_null=True)
    team_name = s.CharField(allow_null=True)
    run_tag = s.CharField(allow_null=True)
    run = s.UUIDField(allow_null=True)
    pair = s.UUIDField(allow_null=True)
    is_own = s.BooleanField()
    is_best_of_team = s.BooleanField()
    reason = s.CharField(allow_null=True)
    values = s.DictField(child=s.FloatField(allow_null=True))
    ranks = s.DictField(child=s.IntegerField(allow_null=True))
    intervals = s.DictField(child=s.ListField(child=s.FloatField()))
    reasons = s.DictField(child=s.CharField())


class Leaderboard(s.Serializer):
    """A board, with a page of its rows."""

    board = BoardFacts(allow_null=True, help_text="Null while nothing has been scored")
    columns = Column(many=True)
    count = s.IntegerField()
    next = s.URLField(allow_null=True)
    rows = Row(many=True)


class Taken(s.Serializer):
    """A run that was taken; it is checked in the background."""

    id = s.UUIDField()
    state = s.CharField()
    url = s.URLField()
    receipt = Receipt()
    pair = s.UUIDField(required=False, help_text="On pair tasks: the pair it is part of")


class TakenPair(s.Serializer):
    """A pair that was taken; its runs are checked in the background."""

    id = s.UUIDField()
    state = s.CharField()
    url = s.URLField()
    receipt = PairReceipt()
    runs = s.DictField(child=s.UUIDField())


class TeamShape(s.Serializer):
    """A team of yours."""

    campaign = s.CharField()
    slug = s.CharField()
    name = s.CharField()


class RoleShape(s.Serializer):
    """A role of yours."""

    campaign = s.CharField()
    role = s.CharField()


class TokenShape(s.Serializer):
    """The token that was sent."""

    name = s.CharField()
    scopes = s.ListField(child=s.CharField())
    expires_at = s.DateTimeField()


class Me(s.Serializer):
    """Who you are."""

    id = s.UUIDField()
    email = s.EmailField()
    name = s.CharField(allow_blank=True)
    teams = TeamShape(many=True)
    roles = RoleShape(many=True)
    token = TokenShape(allow_null=True)


class Genuine(s.Serializer):
    """Whether a receipt was signed here."""

    genuine = s.BooleanField()
