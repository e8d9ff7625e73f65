"""Addresses of participants: teams, joining, tokens, their account."""

from __future__ import annotations

from django.urls import path

from campaigns.views.participants import joining, profile, teams, tokens

app_name = "participants"

TEAM = "campaigns/<str:campaign>/teams/<str:team>/"
urlpatterns = [
    path("teams/", teams.my_teams, name="teams"),
    path("campaigns/<str:campaign>/new-team/", teams.new_team, name="new-team"),
    path(TEAM, teams.team, name="team"),
    path(f"{TEAM}join-link/", teams.invitation, name="invitation"),
    path(f"{TEAM}leave/", teams.leave, name="leave"),
    path(f"{TEAM}members/<uuid:person>/remove/", teams.remove_member, name="remove-member"),
    path(f"{TEAM}members/<uuid:person>/contact/", teams.contact, name="contact"),
    path("join/", joining.join, name="join"),
    path("join/<str:secret>/", joining.join_link, name="join-link"),
    path("tokens/", tokens.tokens, name="tokens"),
    path("tokens/<uuid:pk>/revoke/", tokens.revoke, name="revoke-token"),
    path("profile/", profile.profile, name="profile"),
    path("profile/log-out-elsewhere/", profile.log_out_elsewhere, name="log-out-elsewhere"),
]
