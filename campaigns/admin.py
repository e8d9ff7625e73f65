"""The admin: to look at everything, and to change what has no service of its own.

Runs, numbers, jobs, files and the audit list are read-only: services alone write them. The
content of qrels and runs is never shown.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.db.models import URLField
from django.forms import ModelForm
from django.http import HttpRequest

from campaigns import models
from campaigns.services.events import audit


class LookedAt(admin.ModelAdmin):
    """Rows that only services write."""

    list_per_page = 50
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody adds a row by hand."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody changes one."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody deletes one."""
        return False


class Kept(admin.ModelAdmin):
    """Settings: they may be changed, with an entry in the audit list, and are never deleted."""

    list_per_page = 50
    formfield_overrides = {URLField: {"assume_scheme": "https"}}

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Deletion is soft: set the time of deletion."""
        return False

    def save_model(
        self, request: HttpRequest, obj: Any, form: ModelForm[Any], change: bool
    ) -> None:
        """Store, and note who changed what."""
        super().save_model(request, obj, form, change)
        campaign = obj if isinstance(obj, models.Campaign) else getattr(obj, "campaign", None)
        audit(
            campaign,
            request.user if isinstance(request.user, models.User) else None,
            "change in the admin" if change else "add in the admin",
            f"{obj._meta.verbose_name} {obj}",
            fields=form.changed_data,
        )


@admin.register(models.User)
class Users(UserAdmin):
    """Accounts, by e-mail address."""

    ordering = ("email",)
    list_display = ("email", "name", "is_active", "is_staff", "is_superuser", "date_joined")
    search_fields = ("email", "name")
    readonly_fields = ("public_id", "last_login", "date_joined")
    fieldsets = (
        (None, {"fields": ("email", "name", "password", "public_id")}),
        ("Rights", {"fields": ("is_active", "is_staff", "is_superuser", "groups")}),
        ("Times", {"fields": ("last_login", "date_joined")}),
    )
    add_fieldsets = ((None, {"fields": ("email", "name", "password1", "password2")}),)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Accounts are closed (not active), since runs and audit refer to them."""
        return False


class RolesInline(admin.TabularInline):
    """Who organizes."""

    model = models.CampaignRole
    extra = 0
    autocomplete_fields = ("user",)


@admin.register(models.Campaign)
class Campaigns(Kept):
    """Campaigns and who organizes them."""

    list_display = ("slug", "title", "is_public", "created_at", "deleted_at")
    search_fields = ("slug", "title")
    list_filter = ("is_public", "is_example")
    inlines = (RolesInline,)


class MembersInline(admin.TabularInline):
    """Who is in the team."""

    model = models.Membership
    extra = 0
    autocomplete_fields = ("user",)


@admin.register(models.Team)
class Teams(Kept):
    """Teams and their people."""

    list_display = ("slug", "name", "campaign", "is_organizers", "deleted_at")
    list_filter = ("campaign",)
    search_fields = ("slug", "name")
    inlines = (MembersInline,)


@admin.register(models.System)
class Systems(Kept):
    """Systems of teams."""

    list_display = ("slug", "name", "team")
    search_fields = ("slug", "name", "team__slug")
    autocomplete_fields = ("team",)


@admin.register(models.Collection)
class Collections(Kept):
    """Test collections; files come with the campaign's folder."""

    list_display = ("slug", "title", "campaign", "documents")
    list_filter = ("campaign",)
    search_fields = ("slug", "title")
    readonly_fields = ("campaign", "document_ids", "has_topic_file")


class OriginalsInline(admin.TabularInline):
    """Original pairs."""

    model = models.Original
    extra = 0


@admin.register(models.Task)
class Tasks(Kept):
    """Tasks: dates, switches, limits. What changes numbers is fixed once it is loaded."""

    list_display = ("slug", "campaign", "kind", "opens", "closes", "scores_from", "is_paused")
    list_filter = ("campaign", "kind")
    search_fields = ("slug", "title")
    inlines = (OriginalsInline,)
    readonly_fields = (
        "campaign",
        "kind",
        "collection",
        "original_collection",
        "measures",
        "primary",
        "topics_averaged",
        "depth",
        "precision",
        "initial_run",
        "gains",
        "comparison",
    )


@admin.register(models.Qrels)
class QrelsVersions(LookedAt):
    """Versions of the qrels; what they hold is not shown."""

    list_display = ("__str__", "collection", "task", "state", "judgments", "published_at")
    list_filter = ("state", "collection")
    fields = (
        "collection",
        "task",
        "number",
        "state",
        "judgments",
        "relevant",
        "changelog",
        "uploaded_by",
        "created_at",
        "published_at",
    )


@admin.register(models.Run)
class Runs(LookedAt):
    """Runs: state, check report, receipt."""

    list_display = ("__str__", "task", "team", "origin", "state", "received_at", "withdrawn_at")
    list_filter = ("state", "origin", "task")
    list_select_related = ("task", "team")
    search_fields = ("id", "tag", "title", "text_sha256")
    date_hierarchy = "received_at"


@admin.register(models.Pair)
class Pairs(LookedAt):
    """Pairs and their runs."""

    list_display = ("__str__", "task", "team", "original", "created_at")
    list_filter = ("task",)
    list_select_related = ("task", "team", "original", "baseline", "advanced")
    search_fields = ("id", "title", "family")


@admin.register(models.StoredFile)
class StoredFiles(LookedAt):
    """Files: name, size and checksum, not what they hold."""

    list_display = ("name", "purpose", "size", "text_size", "sha256", "created_at")
    list_filter = ("purpose",)
    search_fields = ("name", "sha256", "text_sha256", "key")


@admin.register(models.Upload)
class Uploads(LookedAt):
    """Files of organizers; their reports quote judgments, and are not shown."""

    list_display = ("__str__", "campaign", "purpose", "state", "uploaded_by", "created_at")
    list_filter = ("state", "purpose")
    list_select_related = ("campaign", "collection", "file", "uploaded_by")
    search_fields = ("id", "file__name")
    fields = (
        "campaign",
        "collection",
        "task",
        "purpose",
        "file",
        "form",
        "language",
        "translation",
        "state",
        "reason",
        "changelog",
        "qrels",
        "uploaded_by",
        "created_at",
        "checked_at",
    )


@admin.register(models.Job)
class Jobs(LookedAt):
    """Background work: what waits, runs, failed, and why."""

    list_display = ("kind", "state", "subject", "queue", "claims", "crashes", "created_at")
    list_filter = ("state", "kind", "queue")
    search_fields = ("id", "subject", "reason")
    date_hierarchy = "created_at"


@admin.register(models.Board)
class Boards(LookedAt):
    """Boards and which qrels they show."""

    list_display = ("__str__", "task", "subject", "state", "qrels", "version", "ranked_at")
    list_filter = ("state", "subject", "task")
    list_select_related = ("task", "qrels")


@admin.register(models.ApiToken)
class Tokens(LookedAt):
    """REST tokens: their owner, scopes and last use."""

    list_display = ("name", "prefix", "user", "scopes", "expires_at", "last_used_at", "revoked_at")
    search_fields = ("name", "prefix", "user__email")
    list_select_related = ("user",)
    exclude = ("digest",)


@admin.register(models.RunEvent)
class RunEvents(LookedAt):
    """What happened to runs."""

    list_display = ("at", "kind", "run", "actor_label")
    list_filter = ("kind",)
    list_select_related = ("run",)
    search_fields = ("run__id",)


@admin.register(models.AuditEntry)
class Audit(LookedAt):
    """Who did what, when and why."""

    list_display = ("at", "actor_label", "action", "target", "campaign")
    list_filter = ("action", "campaign")
    search_fields = ("actor_label", "target", "reason")
    date_hierarchy = "at"
