"""Every address of the site."""

from django.contrib import admin
from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from campaigns.views.robots import favicon, robots
from campaigns.views.search import search_page
from config import health

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("admin/", admin.site.urls),
    path("accounts/", include("allauth.urls")),
    path("api/v1/schema/", SpectacularAPIView.as_view(), name="api-schema"),
    path(
        "api/v1/docs/",
        SpectacularSwaggerSplitView.as_view(url_name="api-schema"),
        name="api-docs",
    ),
    path("api/v1/", include("campaigns.api.urls")),
    path("organize/", include("campaigns.views.organize.urls")),
    path("help/", include("campaigns.views.help.urls")),
    path("search/", search_page, name="search"),
    path("robots.txt", robots, name="robots"),
    path("favicon.ico", favicon, name="favicon"),
    path("", include("campaigns.views.participants.urls")),
    path("", include("campaigns.urls")),
]
