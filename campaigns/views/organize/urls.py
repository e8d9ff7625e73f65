"""Addresses of the organizers' pages, below ``/organize/``."""

from __future__ import annotations

from django.urls import path

from campaigns.views.organize import (
    audit,
    campaigns,
    collections,
    originals,
    removal,
    runs,
    seeing_as,
    tasks,
    teams,
    uploads,
)

app_name = "organize"

C = "<str:campaign>/"
urlpatterns = [
    path("", campaigns.campaigns, name="campaigns"),
    path("new/", campaigns.new_campaign, name="new-campaign"),
    path("bring-back/<str:campaign>/", removal.bring_campaign_back, name="bring-campaign-back"),
    path("see-as-oneself/", seeing_as.see_as_oneself, name="see-as-oneself"),
    path(f"c/{C}", campaigns.desk, name="desk"),
    path(f"c/{C}workers/", campaigns.workers, name="workers"),
    path(f"c/{C}settings/", campaigns.settings, name="settings"),
    path(f"c/{C}delete/", removal.delete_a_campaign, name="delete-campaign"),
    path(f"c/{C}people/", campaigns.people, name="people"),
    path(f"c/{C}people/<uuid:person>/remove/", campaigns.remove_person, name="remove-person"),
    path(f"c/{C}see-as/", seeing_as.see_as, name="see-as"),
    path(f"c/{C}audit/", audit.audit_list, name="audit"),
    path(f"c/{C}collections/", collections.collections, name="collections"),
    path(f"c/{C}new-collection/", collections.new_collection, name="new-collection"),
    path(f"c/{C}collections/<str:collection>/", collections.collection, name="collection"),
    path(f"c/{C}collections/<str:collection>/topics/", collections.topics, name="topics"),
    path(f"c/{C}collections/<str:collection>/qrels/<int:number>/", collections.qrels, name="qrels"),
    path(
        f"c/{C}collections/<str:collection>/upload/<str:purpose>/",
        uploads.upload_to_collection,
        name="upload-to-collection",
    ),
    path(f"c/{C}uploads/<uuid:pk>/", uploads.upload, name="upload"),
    path(f"c/{C}uploads/<uuid:pk>/live/", uploads.upload_live, name="upload-live"),
    path(f"c/{C}uploads/<uuid:pk>/again/", uploads.upload_again, name="upload-again"),
    path(f"c/{C}tasks/", tasks.tasks, name="tasks"),
    path(f"c/{C}new-task/", tasks.new_task, name="new-task"),
    path(f"c/{C}task-preview/", tasks.task_preview, name="task-preview"),
    path(f"c/{C}tasks/<str:task>/", tasks.task, name="task"),
    path(f"c/{C}tasks/<str:task>/delete/", removal.delete_a_task, name="delete-task"),
    path(f"c/{C}tasks/<str:task>/bring-back/", removal.bring_task_back, name="bring-task-back"),
    path(f"c/{C}tasks/<str:task>/plan/", tasks.plan, name="plan"),
    path(f"c/{C}tasks/<str:task>/plan/preview/", tasks.plan_preview, name="plan-preview"),
    path(f"c/{C}tasks/<str:task>/files/", tasks.task_files, name="task-files"),
    path(f"c/{C}tasks/<str:task>/pool/<int:number>/", collections.pool, name="pool"),
    path(
        f"c/{C}tasks/<str:task>/upload/<str:purpose>/",
        uploads.upload_to_task,
        name="upload-to-task",
    ),
    path(f"c/{C}tasks/<str:task>/originals/", originals.originals, name="originals"),
    path(
        f"c/{C}tasks/<str:task>/originals/<str:original>/<str:role>/",
        originals.original_run,
        name="original-run",
    ),
    path(f"c/{C}teams/", teams.teams, name="teams"),
    path(f"c/{C}own-team/", teams.own_team, name="own-team"),
    path(f"c/{C}teams/<str:team>/", teams.team, name="team"),
    path(
        f"c/{C}teams/<str:team>/members/<uuid:person>/remove/",
        teams.remove_from_team,
        name="remove-from-team",
    ),
    path(f"c/{C}runs/", runs.runs, name="runs"),
    path(f"c/{C}retry-failed/", runs.retry_failed, name="retry-failed"),
    path(f"c/{C}runs/<uuid:pk>/", runs.run, name="run"),
    path(f"c/{C}runs/<uuid:pk>/<str:action>/", runs.act_on_run, name="act-on-run"),
]
