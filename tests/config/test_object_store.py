"""Run files in an S3 store: the real client against a store that runs in this process."""

import io

import boto3
import pytest
from django.core.files.storage import storages
from django.test import override_settings
from moto.server import ThreadedMotoServer

from config import address


@pytest.fixture(scope="module")
def store():
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def runs(store, monkeypatch):
    monkeypatch.setenv("S3_ENDPOINT_URL", store)
    monkeypatch.setenv("S3_REGION", "us-east-1")
    monkeypatch.setenv("S3_ACCESS_KEY_ID", "key")
    monkeypatch.setenv("S3_SECRET_ACCESS_KEY", "secret")
    boto3.client(
        "s3",
        endpoint_url=store,
        region_name="us-east-1",
        aws_access_key_id="key",
        aws_secret_access_key="secret",
    ).create_bucket(Bucket="runs")
    with override_settings(STORAGES={"runs": address.object_store("runs")}):
        yield storages["runs"]


def test_run_file_goes_in_and_comes_out_unchanged(runs):
    text = b"301 Q0 d1 1 2.5 tag\n" * 1000
    name = runs.save("3f/run", io.BytesIO(text))
    assert name == "3f/run"
    assert runs.size(name) == len(text)
    with runs.open(name, "rb") as file:
        assert file.read() == text
    runs.delete(name)
    assert not runs.exists(name)


def test_second_file_of_same_name_replaces_nothing(runs):
    first = runs.save("4a/run", io.BytesIO(b"first"))
    second = runs.save("4a/run", io.BytesIO(b"second"))
    assert second != first
    with runs.open(first, "rb") as file:
        assert file.read() == b"first"
