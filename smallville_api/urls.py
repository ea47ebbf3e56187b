"""Every address of the service."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

admin.autodiscover()
urlpatterns: list[URLPattern | URLResolver] = [
    path("admin/", admin.site.urls),
    path("", include("apps.api.urls")),
]
handler400 = "apps.api.http.problems.bad_request"
handler403 = "apps.api.http.problems.permission_denied"
handler404 = "apps.api.http.problems.not_found"
handler500 = "apps.api.http.problems.server_error"
