"""All dates of tasks that a viewer may see, as a calendar to subscribe to."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe
from icalendar import Calendar, Event

from campaigns.models import Task
from campaigns.querysets import visible_tasks
from campaigns.views.lookups import viewer_of

FIELDS = ("opens", "closes", "timezone", "title", "slug", "campaign__title", "campaign__slug")


def _moments(task: Task) -> Iterator[tuple[str, datetime]]:
    for name, word in (("opens", "opens"), ("closes", "closes")):
        moment = getattr(task, name)
        if moment is not None:
            yield word, moment


@require_safe
def deadlines(request: HttpRequest) -> HttpResponse:
    """When tasks open and close; calendar programs ask as visitors and get what is public."""
    viewer = viewer_of(request)
    calendar = Calendar()
    calendar.add("prodid", "-//Centreboard//Deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", "Centreboard deadlines")
    for task in visible_tasks(viewer).only(*FIELDS).order_by("closes", "pk"):
        for word, moment in _moments(task):
            event = Event()
            event.add("uid", f"{task.campaign.slug}-{task.slug}-{word}@{request.get_host()}")
            event.add("dtstamp", viewer.now)
            event.add("dtstart", moment)
            event.add("dtend", moment)
            event.add("summary", f"{task.campaign.title}, {task.title} {word}")
            place = reverse("pages:task", args=[task.campaign.slug, task.slug])
            event.add("url", request.build_absolute_uri(place))
            calendar.add_component(event)
    response = HttpResponse(calendar.to_ical(), content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="deadlines.ics"'
    return response
