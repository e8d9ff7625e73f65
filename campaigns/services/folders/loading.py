"""A campaign folder becomes a campaign, or updates one; all or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from django.db import transaction

from campaigns.models import Campaign, Collection, Membership, Role, User, normal_email
from campaigns.models import CampaignRole as CampaignRoleModel
from campaigns.services.events import audit
from campaigns.services.folders.creating import Rows
from campaigns.services.folders.faults import Faults
from campaigns.services.folders.handing_in import Intake
from campaigns.services.folders.inspection import Findings, Inspector, inspect
from campaigns.services.folders.reading import read_folder
from campaigns.services.folders.specs import CampaignSpec
from campaigns.services.folders.storing import StoredFiles
from campaigns.services.folders.updating import refuse_rewriting


@dataclass(frozen=True, slots=True)
class Loaded:
    """The campaign, what was changed, and what the files gave to remark."""

    campaign: Campaign
    is_new: bool
    changes: tuple[str, ...]
    notes: tuple[str, ...]


def load_folder(
    root: Path,
    inspector: Inspector,
    *,
    is_update: bool = False,
    user: User | None = None,
    slug: str | None = None,
) -> Loaded:
    """Create the campaign of a folder, or with ``is_update`` bring the stored one up to date.

    ``slug`` stands in for the one in the folder. Raises ``FolderRefusedError`` with every fault;
    nothing is created or changed then.
    """
    spec, faults = read_folder(root, slug)
    existing = Campaign.objects.filter(slug=spec.slug).first() if spec.slug else None
    _check_slug(spec, existing, faults, is_update=is_update)
    people = _people(spec, faults)
    with StoredFiles(spec) as stored:
        stored.receive(spec.stored_files(), faults)
        stored.receive(spec.series_files(), faults)
        found = inspect(spec, stored, faults, inspector)
        if existing is not None and is_update:
            refuse_rewriting(existing, spec, stored, found, faults)
        faults.refuse_if_any()
        with transaction.atomic():
            return _carry_over(spec, stored, found, existing, user, people)


def _check_slug(
    spec: CampaignSpec, existing: Campaign | None, faults: Faults, *, is_update: bool
) -> None:
    if existing is None:
        return
    if existing.deleted_at is not None:
        faults.add("campaign.slug", f"{spec.slug!r} belongs to a deleted campaign")
    elif not is_update:
        faults.add(
            "campaign.slug", f"there is a campaign {spec.slug!r} already: update it with --update"
        )


def _people(spec: CampaignSpec, faults: Faults) -> dict[str, User]:
    """Accounts named in the folder, by address; those that do not exist are faults."""
    named = [(f"campaign.organizers[{at}]", mail) for at, mail in enumerate(spec.organizers)]
    named += [
        (f"{team.at}.members[{at}]", mail)
        for team in spec.teams
        for at, mail in enumerate(team.members)
    ]
    wanted = {normal_email(mail) for _, mail in named}
    known = {user.email: user for user in User.objects.filter(email__in=wanted, is_active=True)}
    for at, mail in named:
        if normal_email(mail) not in known:
            faults.add(at, f"there is no account {mail!r}: create it first")
    return known


def _carry_over(
    spec: CampaignSpec,
    stored: StoredFiles,
    found: Findings,
    existing: Campaign | None,
    user: User | None,
    people: dict[str, User],
) -> Loaded:
    if existing is not None:
        # One update at a time, and none while qrels are published or a check is recorded.
        existing = Campaign.objects.select_for_update().get(pk=existing.pk)
        list(Collection.objects.select_for_update().filter(campaign=existing).order_by("pk"))
    rows = Rows(spec, stored, found, user)
    rows.settings(existing)
    intake = Intake(rows)
    intake.originals()
    intake.submissions()
    rows.qrels()
    intake.score_given()
    if existing is not None:
        rows.start_evaluations()
    _give_roles(rows, people)
    changes: Sequence[str] = (*rows.changes, *intake.summary())
    if changes:
        action = "load campaign folder" if existing is None else "update from campaign folder"
        audit(rows.campaign, user, action, rows.campaign.slug, changes=list(changes)[:200])
    return Loaded(rows.campaign, existing is None, tuple(changes), tuple(found.notes))


def _give_roles(rows: Rows, people: dict[str, User]) -> None:
    for mail in rows.spec.organizers:
        _, is_new = CampaignRoleModel.objects.get_or_create(
            campaign=rows.campaign,
            user=people[normal_email(mail)],
            defaults={"role": Role.ORGANIZER},
        )
        if is_new:
            rows.changes.append("an organizer added")
    for team in rows.spec.teams:
        for mail in team.members:
            _, is_new = Membership.objects.get_or_create(
                team=rows.teams[team.slug], user=people[normal_email(mail)], left_at=None
            )
            if is_new:
                rows.changes.append(f"team {team.slug}: a member added")
