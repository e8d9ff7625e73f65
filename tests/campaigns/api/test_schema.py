"""The OpenAPI schema: clean, with examples; its pages work offline under our policy."""

import re

import pytest
import schemathesis
import yaml
from django.contrib.staticfiles import finders
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from django.test import Client
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error

from campaigns.api.schema import problems
from tests.campaigns import factories
from tests.campaigns.api import world as worlds


@pytest.fixture(scope="module")
def schema(tmp_path_factory):
    """The schema as the command writes it, which fails on any warning."""
    path = tmp_path_factory.mktemp("schema") / "schema.yml"
    call_command("spectacular", "--fail-on-warn", "--validate", "--file", str(path))
    return yaml.safe_load(path.read_text())


def test_schema_is_clean_and_names_the_fields_of_a_run(schema):
    post = schema["paths"]["/api/v1/campaigns/{slug}/tasks/{task}/runs/"]["post"]
    form = post["requestBody"]["content"]["multipart/form-data"]["schema"]["$ref"]
    fields = schema["components"]["schemas"][form.rpartition("/")[2]]["properties"]
    contract = {"file", "team", "run_type", "description", "system", "metadata"}
    assert contract | {"original", "role", "partner"} <= set(fields)
    assert fields["file"]["format"] == "binary"
    assert set(post["responses"]) == {
        *("202", "400", "401", "403", "404", "408", "409", "411", "413", "415", "422", "429")
    }
    assert [one["name"] for one in post["parameters"]] == ["Idempotency-Key", "slug", "task"]


def test_schema_shows_problems_as_they_are(schema):
    post = schema["paths"]["/api/v1/campaigns/{slug}/tasks/{task}/runs/"]["post"]
    for status in ("409", "422", "429"):
        content = post["responses"][status]["content"]["application/problem+json"]
        example = content["examples"][status]["value"]
        assert example["status"] == int(status)
        assert example["detail"]


def test_every_problem_of_the_schema_has_an_example():
    assert all(one.examples for one in problems(400, 401, 403, 404, 429).values())


@pytest.mark.django_db
def test_schema_and_its_page_are_served():
    client = Client()
    assert client.get("/api/v1/schema/").status_code == 200
    page = client.get("/api/v1/docs/")
    assert page.status_code == 200
    text = page.content.decode()
    assert "<style" not in text
    assert not re.search(r"\son[a-z]+=", text)
    assert not re.search(r"<script(?![^>]*\bsrc=)", text)
    addresses = re.findall(r'(?:src|href)="([^"]+)"', text)
    assert not [address for address in addresses if "//" in address]
    static = [address for address in addresses if address.startswith("/static/")]
    assert len(static) >= 3
    for address in static:
        assert finders.find(address.removeprefix("/static/")), address
    script = client.get("/api/v1/docs/?script=")
    assert script["Content-Type"].startswith("application/javascript")
    assert b"SwaggerUIBundle" in script.content
    assert "unsafe" not in page["Content-Security-Policy"]


@pytest.mark.django_db
def test_answers_have_the_shape_of_the_schema(client_of, schema):
    """Each answer holds exactly the keys that its schema lists."""
    world = worlds.build("open")
    worlds.score(world)
    client = client_of(world.users["organizer"])
    components = schema["components"]["schemas"]
    names = {
        "api-me": "Me",
        "api-campaigns": "PageOfCampaignSummary",
        "api-campaign": "CampaignDetail",
        "api-task": "TaskDetail",
        "api-runs": "PageOfRunSummary",
        "api-leaderboard": "Leaderboard",
        "api-effects": "PageOfPoint",
        "api-run": "RunDetail",
        "api-run-topics": "RunTopics",
        "api-pair": "PairDetail",
    }
    for (name, method), url in world.urls().items():
        if method == "get" and name not in ("api-run-file", "api-task-file"):
            _compare(client.get(url).json(), components[names[name]], components, name)


def _compare(value, shape, components, at):
    while "$ref" in shape or "allOf" in shape:
        inner = shape.get("allOf", [shape])[0]
        shape = components[inner["$ref"].rpartition("/")[2]] if "$ref" in inner else inner
    if value is None:
        return
    if shape.get("type") == "array":
        assert isinstance(value, list), at
        for one in value:
            _compare(one, shape["items"], components, f"{at}[]")
    elif "properties" in shape:
        assert set(value) <= set(shape["properties"]), at
        assert set(shape.get("required", [])) <= set(value), at
        for key, one in value.items():
            _compare(one, shape["properties"][key], components, f"{at}.{key}")


BOUNDED = settings(
    max_examples=8,
    deadline=None,
    database=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
def test_invented_requests_never_break_the_server(mode):
    """Right and malformed requests for every address, with names that are there half the time."""
    world = worlds.build("open")
    worlds.score(world)
    secret = factories.token_for(world.users["own"])
    app = get_wsgi_application()
    invented = schemathesis.openapi.from_wsgi("/api/v1/schema/?format=json", app)
    there = {"slug": world.task.campaign.slug, "task": world.task.slug}
    statuses = set()

    def send(case, is_there):
        if is_there:
            known = {**there, "id": str(world.own.pk)}
            case.path_parameters = {
                name: known.get(name, str(world.own.advanced_id)) for name in case.path_parameters
            }
        case.query.pop("wait", None)
        response = case.call(headers={"Authorization": f"Bearer {secret}"})
        case.validate_response(response, checks=[not_a_server_error])
        statuses.add(response.status_code)

    for result in invented.get_all_operations():
        operation = result.ok()
        attempt = given(case=operation.as_strategy(mode), is_there=st.booleans())(send)
        BOUNDED(attempt)()
    assert {200, 404} <= statuses
    assert statuses <= {200, 202, 400, 401, 403, 404, 405, 409, 411, 413, 415, 422}
