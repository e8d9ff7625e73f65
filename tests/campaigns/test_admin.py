"""The admin opens, shows no secret, and lets nobody change what only services write."""

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from campaigns.admin import Kept, LookedAt
from campaigns.models import AuditEntry, Campaign, Qrels, StoredFile, Upload
from tests.campaigns import factories
from tests.campaigns.test_factories import FACTORIES

pytestmark = pytest.mark.django_db
OURS = {
    model: site
    for model, site in admin.site._registry.items()
    if model._meta.app_label == "campaigns"
}


@pytest.fixture
def staff():
    client = Client()
    client.force_login(factories.UserFactory(is_staff=True, is_superuser=True))
    return client


def address(model, action, *args):
    return reverse(f"admin:campaigns_{model._meta.model_name}_{action}", args=args)


@pytest.mark.parametrize("model", OURS, ids=lambda model: model.__name__)
def test_list_and_row_open(staff, model):
    row = FACTORIES[model]()
    assert staff.get(address(model, "changelist")).status_code == 200
    assert staff.get(address(model, "changelist"), {"q": "x"}).status_code == 200
    assert staff.get(address(model, "change", row.pk)).status_code == 200


@pytest.mark.parametrize(
    "model", [m for m, site in OURS.items() if isinstance(site, LookedAt)], ids=lambda m: m.__name__
)
def test_rows_of_services_cannot_be_changed(staff, model):
    row = FACTORIES[model]()
    assert staff.post(address(model, "change", row.pk), {}).status_code == 403
    assert staff.post(address(model, "delete", row.pk), {"post": "yes"}).status_code == 403
    assert staff.get(address(model, "add")).status_code == 403


@pytest.mark.parametrize(
    "model", [m for m, site in OURS.items() if isinstance(site, Kept)], ids=lambda m: m.__name__
)
def test_settings_cannot_be_deleted(staff, model):
    row = FACTORIES[model]()
    assert staff.post(address(model, "delete", row.pk), {"post": "yes"}).status_code == 403
    assert type(row).objects.filter(pk=row.pk).exists()


def test_change_leaves_an_audit_entry(staff):
    campaign = factories.CampaignFactory(title="Before")
    fields = {
        "slug": campaign.slug,
        "title": "After",
        "vocabulary": "centre",
        "timezone": "AoE",
        "is_public": "on",
        "roles-TOTAL_FORMS": 0,
        "roles-INITIAL_FORMS": 0,
    }
    answer = staff.post(address(Campaign, "change", campaign.pk), fields)
    assert answer.status_code == 302
    entry = AuditEntry.objects.get()
    assert (entry.campaign, entry.action) == (campaign, "change in the admin")
    assert entry.detail == {"fields": ["title"]}


def test_qrels_are_not_shown(staff):
    qrels = factories.QrelsFactory(
        grades=[17], topics_without_relevant=["topic-9"], messages=["m17"]
    )
    page = staff.get(address(Qrels, "change", qrels.pk)).content.decode()
    assert "topic-9" not in page
    assert "m17" not in page
    file = staff.get(address(StoredFile, "change", qrels.file.pk)).content.decode()
    assert "101 0 d1" not in file


def test_token_digest_is_not_shown(staff):
    token = factories.ApiTokenFactory(digest="f00d" * 16)
    page = staff.get(address(type(token), "change", token.pk)).content.decode()
    assert "f00df00d" not in page


def test_staff_without_rights_see_nothing():
    client = Client()
    client.force_login(factories.UserFactory(is_staff=True))
    for model in OURS:
        assert client.get(address(model, "changelist")).status_code == 403


def test_report_of_an_upload_which_quotes_judgments_is_not_shown(staff):
    row = factories.UploadFactory(messages=[{"text": "secret", "quoted": "101 0 secret-doc 3"}])
    assert b"secret" not in staff.get(address(Upload, "change", row.pk)).content
