"""The task page and its board."""

import re
import time
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from campaigns.models import BoardState
from campaigns.templatetags.words import breakable
from campaigns.views import board_query
from tests.campaigns import factories as make
from tests.campaigns.pages.conftest import fill_board

pytestmark = pytest.mark.django_db


def rows_of(html: str) -> list[str]:
    body = html.partition("<tbody>")[2].partition("</tbody>")[0]
    return re.findall(r"<tr>.*?</tr>", body)


def tags_of(html: str) -> list[str]:
    return re.findall(r'<a href="[^"]+">([^<]+)</a>', "".join(rows_of(html)))


def page(client, world, query="") -> str:
    response = client.get(world.url + query)
    assert response.status_code == 200
    return response.content.decode()


def test_board_shows_shared_ranks_intervals_and_dashes_last(client, world):
    rows = rows_of(page(client, world))
    assert tags_of("<tbody>" + "".join(rows) + "</tbody>") == ["tag-0", "tag-1", "tag-2", "tag-3"]
    assert '<td>1<span class="tie"></span></td>' in rows[0]
    assert all('>2<span class="tie">=<' in row for row in rows[1:3])
    assert '<td class="lead">.6000</td>' in rows[0]
    assert 'aria-label="95% interval .5000 to .7000"' in rows[0]
    assert '<td class="undef" title="no topic is judged">–' in rows[2]
    assert "not ranked" in rows[3]
    assert "no topic is judged" in rows[3]
    assert ".0000" not in rows[3]


def test_board_says_which_qrels_it_stands_on(client, world):
    html = page(client, world)
    assert f"qrels v{world.board.qrels.number}" in html
    assert world.board.qrels.file.text_sha256 in html


def test_board_sorts_by_any_column_and_back(client, world):
    assert tags_of(page(client, world, "?sort=AP")) == ["tag-1", "tag-0", "tag-2", "tag-3"]
    assert tags_of(page(client, world, "?sort=AP&dir=reverse")) == [
        "tag-0", "tag-1", "tag-2", "tag-3",
    ]  # fmt: skip


def test_pages_of_a_sorted_board_follow_one_another(client, world, monkeypatch):
    monkeypatch.setattr(board_query, "PAGE_ROWS", 1)
    found = [tags_of(page(client, world, f"?sort=AP&page={number}")) for number in (1, 2, 3, 4)]
    assert found == [["tag-1"], ["tag-0"], ["tag-2"], ["tag-3"]]
    withdrawn = world.rows[0].run
    withdrawn.withdrawn_at = timezone.now()
    withdrawn.save()
    left = [tags_of(page(client, world, f"?sort=AP&page={number}")) for number in (1, 2, 3)]
    assert left == [["tag-1"], ["tag-2"], ["tag-3"]]


def test_sort_marks_the_active_column_alone(client, world):
    html = page(client, world, "?sort=AP")
    assert html.count("aria-sort=") == 1
    assert re.search(
        r'aria-sort="descending"><a id="sort-1" href="\?sort=AP&amp;dir=reverse#board" ', html
    )
    turned = page(client, world, "?sort=AP&dir=reverse")
    assert re.search(r'aria-sort="ascending"><a id="sort-1" href="\?sort=AP#board" ', turned)
    assert re.search(r'aria-sort="descending"><a id="sort-0"[^>]+>nDCG@10<', page(client, world))
    assert 'title="average precision">AP</a>' in page(client, world)


def test_unknown_sort_column_is_the_order_of_the_ranks(client, world):
    assert tags_of(page(client, world, "?sort=nothing&page=999")) == [
        "tag-0", "tag-1", "tag-2", "tag-3",
    ]  # fmt: skip


def test_unknown_board_is_not_found(client, world):
    assert client.get(world.url + "?board=nothing").status_code == 404
    assert client.get(world.url + "?set=77").status_code == 404


def test_hostile_names_are_harmless(client, world):
    hostile = "<script>alert('x')</script>\"'&\u202e😀"
    row = world.rows[0]
    row.run.tag = hostile
    row.run.save()
    row.team.name = hostile
    row.team.save()
    last = world.rows[3]
    last.reason = hostile
    last.cells = {"nDCG@10": {"value": None, "reason": hostile}}
    last.save()
    html = page(client, world)
    assert "<script>alert" not in html
    assert html.count("&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt;&quot;&#x27;&amp;") >= 4


def test_names_that_run_to_the_left_leave_the_rest_of_the_row_alone(client, pair_world):
    team = pair_world.rows[0].pair.team
    team.name = "\u05e9\u05dc\u05d5\u05dd <b>"
    team.save()
    html = page(client, pair_world)
    assert "<bdi>\u05e9\u05dc\u05d5\u05dd &lt;b&gt;</bdi>" in html


def test_baselines_are_marked_and_drawn_hollow(client, world):
    team = world.rows[1].team
    team.is_organizers = True
    team.save()
    world.task.team_names_from = None  # the organizers' own name is no secret
    world.task.save()
    rows = rows_of(page(client, world))
    assert team.name in rows[1]
    assert '<span class="badge dash">baseline</span>' in rows[1]
    assert ['<circle class="alt"' in row for row in rows[:3]] == [False, True, False]


def test_withheld_board_gives_nothing_away(client, world):
    later = timezone.now() + timedelta(days=3)
    world.task.scores_from = later
    world.task.save()
    html = page(client, world, "?sort=AP")
    assert f"Scores are released on {later:%a}" in html
    for secret in (".6000", "tag-0", "tag-3", "qrels v", "aria-sort", "<tbody>"):
        assert secret not in html


def test_withheld_board_without_a_date_says_so(client, world):
    world.task.scores_from = None
    world.task.save()
    html = page(client, world)
    assert "Scores of this task are withheld" in html
    assert ".6000" not in html


def test_organizer_sees_a_withheld_board_with_a_note(logged_in, world):
    world.task.scores_from = None
    world.task.save()
    html = page(logged_in(make.organizer_of(world.campaign)), world)
    assert ".6000" in html
    assert "Only organizers see this board now" in html


def test_participant_does_not_see_a_withheld_board_but_own_runs(logged_in, world):
    world.task.scores_from = None
    world.task.save()
    user = make.member_of(world.rows[0].team)
    html = page(logged_in(user), world)
    assert "tag-0" in html
    assert "tag-1" not in html
    assert ".6000" not in html


def test_team_names_are_withheld_until_their_switch(client, logged_in, world):
    world.task.team_names_from = None
    world.task.save()
    team = world.rows[0].team
    html = page(client, world)
    assert team.name not in html
    assert html.count("Team name withheld") == 4
    own = page(logged_in(make.member_of(team)), world)
    assert team.name in own
    assert own.count("Team name withheld") == 3


def test_private_campaign_is_not_found_by_strangers(client, logged_in, world):
    world.campaign.is_public = False
    world.campaign.save()
    assert client.get(world.url).status_code == 404
    assert logged_in(make.UserFactory()).get(world.url).status_code == 404
    assert logged_in(make.member_of(world.rows[0].team)).get(world.url).status_code == 200


def test_withdrawn_run_leaves_the_board_at_once(client, world):
    run = world.rows[1].run
    run.withdrawn_at = timezone.now()
    run.save()
    assert tags_of(page(client, world)) == ["tag-0", "tag-2", "tag-3"]


def test_pair_of_a_withdrawn_run_leaves_the_board_and_half_a_pair_stays(client, pair_world):
    gone, half = pair_world.rows[0].pair, pair_world.rows[1].pair
    gone.advanced.withdrawn_at = timezone.now()
    gone.advanced.save()
    half.advanced = None
    half.save()
    assert tags_of(page(client, pair_world)) == ["pair-1", "pair-2"]


def test_rows_of_another_version_are_not_shown(client, world):
    world.board.version = 2
    world.board.save()
    assert tags_of(page(client, world)) == []


def test_earlier_board_stays_readable_and_says_what_it_is(client, world):
    old = world.board
    old.state = BoardState.PAST
    old.save()
    new = make.BoardFactory(task=world.task, number=2)
    make.BoardColumnFactory(board=new)
    html = page(client, world)
    assert f"qrels v{new.qrels.number}" in html
    assert f"Earlier board, qrels v{old.qrels.number}" in html
    past = page(client, world, "?board=runs&set=1")
    assert tags_of(past)[0] == "tag-0"
    assert "This is an earlier board" in past


def test_board_that_fills_is_nobodys_to_see(client, world):
    filling = make.BoardFactory(task=world.task, number=2, state=BoardState.FILLING)
    assert client.get(world.url + f"?set={filling.number}").status_code == 404
    filling.state = BoardState.PAST  # put aside before it was ever shown
    filling.save()
    assert client.get(world.url + f"?set={filling.number}").status_code == 404


def test_pair_board_shows_targets_places_and_reasons(client, pair_world):
    html = page(client, pair_world)
    rows = rows_of(html)
    assert len(rows) == 3
    assert '1.400<small class="place">2</small>' in rows[0]
    assert "\u22120.020" in rows[0]
    assert '<td class="best">0.900<small class="place">1</small>' in rows[1]
    assert '<td class="lead">.1000</td>' in rows[0]
    assert "the original effect is 0" in rows[2]
    assert "replicability in CENTRE" in html
    assert ">KTU b′</a>" not in html
    assert ">KTU b′</a>" in page(client, pair_world, "?columns=all")


def test_pair_board_sorts_by_distance_to_the_target(client, pair_world):
    assert tags_of(page(client, pair_world, "?sort=effect_ratio(AP)")) == [
        "pair-1", "pair-0", "pair-2",
    ]  # fmt: skip
    assert tags_of(page(client, pair_world, "?sort=effect_ratio(AP)&dir=reverse")) == [
        "pair-0", "pair-1", "pair-2",
    ]  # fmt: skip


def test_task_without_judgments_says_what_comes(client):
    task = make.TaskFactory()
    html = client.get(reverse("pages:task", args=[task.campaign.slug, task.slug])).content.decode()
    assert "Nothing is ranked yet" in html


def test_board_of_two_hundred_rows_is_light_and_quick(client, world):
    values = [(0.9 - 0.001 * index, 0.5) for index in range(260)]
    task = make.TaskFactory()
    big = fill_board(task, values, list(range(1, 261)))
    html = page(client, big)
    assert len(rows_of(html)) == 200
    assert len(html.encode()) < 120_000
    assert len(rows_of(page(client, big, "?page=2"))) == 60
    best = min(_cpu(client, big) for _ in range(5))
    print(f"200 rows: {best * 1000:.1f} ms CPU, {len(html.encode()) / 1000:.0f} kB")
    assert best < 0.1  # the goal is 12 ms; a slow machine must not fail the suite


def _cpu(client, world) -> float:
    begun = time.process_time()
    client.get(world.url)
    return time.process_time() - begun


@pytest.mark.parametrize("rows", [4, 40])
@pytest.mark.usefixtures("cache_here")
def test_queries_of_a_board_do_not_grow_with_its_rows(client, rows, django_assert_num_queries):
    world = fill_board(make.TaskFactory(), [(0.5, 0.5)] * rows, list(range(1, rows + 1)))
    # task, boards, teams, rows taken away; boards in full, columns, teams on it, count, rows,
    # scores by topic; the task's collection
    with django_assert_num_queries(10):
        page(client, world)
    with django_assert_num_queries(4):  # the board itself is kept
        page(client, world)


@pytest.mark.parametrize(
    ("name", "markup"),
    [
        ("RBP(p=0.8)", "RBP(<wbr>p=<wbr>0.8)"),
        ("nDCG(a='b')@10", "nDCG(<wbr>a=<wbr>&#x27;b&#x27;)<wbr>@10"),
        ("distance to (1, 0), AP", "distance to (1, 0), AP"),
    ],
)
def test_heads_break_inside_names_of_measures_but_not_inside_points(name, markup):
    assert breakable(name) == markup
