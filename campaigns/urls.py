"""Addresses of the pages."""

from __future__ import annotations

from django.urls import path

from campaigns.views.agreement import agreement
from campaigns.views.calendar import deadlines
from campaigns.views.campaign import campaign
from campaigns.views.compare import compare
from campaigns.views.home import home
from campaigns.views.pair import pair, pair_live
from campaigns.views.run import run, run_file, run_live, run_receipt
from campaigns.views.run_actions import retry, withdraw
from campaigns.views.run_list import my_runs
from campaigns.views.submit import submit
from campaigns.views.task import task
from campaigns.views.task_files import task_file

app_name = "pages"

urlpatterns = [
    path("", home, name="home"),
    path("deadlines.ics", deadlines, name="deadlines"),
    path("campaigns/<str:campaign>/", campaign, name="campaign"),
    path("campaigns/<str:campaign>/tasks/<str:task>/", task, name="task"),
    path("campaigns/<str:campaign>/tasks/<str:task>/compare/", compare, name="compare"),
    path("campaigns/<str:campaign>/tasks/<str:task>/agreement/", agreement, name="agreement"),
    path("campaigns/<str:campaign>/tasks/<str:task>/files/<str:name>", task_file, name="task-file"),
    path("campaigns/<str:campaign>/tasks/<str:task>/submit/", submit, name="submit"),
    path("runs/", my_runs, name="my-runs"),
    path("runs/<uuid:pk>/", run, name="run"),
    path("runs/<uuid:pk>/live/", run_live, name="run-live"),
    path("runs/<uuid:pk>/file/", run_file, name="run-file"),
    path("runs/<uuid:pk>/receipt/", run_receipt, name="run-receipt"),
    path("runs/<uuid:pk>/withdraw/", withdraw, name="run-withdraw"),
    path("runs/<uuid:pk>/retry/", retry, name="run-retry"),
    path("pairs/<uuid:pk>/", pair, name="pair"),
    path("pairs/<uuid:pk>/live/", pair_live, name="pair-live"),
]
