"""What the site serves beside its pages: health, the description of REST, its policy of content."""

import re

import pytest
from django.core.files.storage import storages
from django.db import OperationalError

from config import health


def test_healthz_asks_nothing(client):
    answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"ok\n")


@pytest.mark.django_db
def test_readyz_with_all_parts_is_ready(client, broker):
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {"ready": True, "database": "ok", "storage": "ok", "broker": "ok"}


@pytest.mark.django_db
def test_readyz_without_broker_is_ready_and_says_so(client):
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {"ready": True, "database": "ok", "storage": "ok", "broker": "away"}


@pytest.mark.parametrize("part", ["database", "storage"])
@pytest.mark.django_db
def test_readyz_without_necessary_part_is_503(client, monkeypatch, part):
    def fail():
        raise OperationalError if part == "database" else OSError

    monkeypatch.setattr(health, f"_ask_{part}", fail)
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert (answer.json()["ready"], answer.json()[part]) == (False, "away")


def test_readyz_refuses_to_change_anything(client):
    assert client.post("/readyz").status_code == 405


def test_content_policy_allows_nothing_inline(client):
    policy = client.get("/healthz").headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy


@pytest.mark.django_db
def test_page_of_rest_works_offline_and_under_the_policy(client):
    page = client.get("/api/v1/docs/").content.decode()
    assert "<style" not in page
    assert re.findall(r"<script[^>]*>\s*[^<\s]", page) == []
    addresses = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert len(addresses) >= 5
    assert [address for address in addresses if not address.startswith("/")] == []


def test_run_files_are_private_to_the_owner_of_the_process():
    storage = storages["runs"]
    assert storage.file_permissions_mode == 0o600
    assert storage.directory_permissions_mode == 0o700
