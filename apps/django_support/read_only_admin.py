"""Read-only pages of the admin, fast on tables of any size, and the links in them (A4)."""

from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin
from django.contrib.admin.filters import AllValuesFieldListFilter
from django.contrib.admin.utils import get_fields_from_path
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db.models import BooleanField, Q, QuerySet
from django.http import HttpRequest
from django.utils.functional import cached_property
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import smart_split, unescape_string_literal

if TYPE_CHECKING:
    # Only in the stubs the class is generic.
    _AdminOfAnyModel = admin.ModelAdmin[Any]
    _PaginatorOfRows = Paginator[Any]
else:
    _AdminOfAnyModel = admin.ModelAdmin
    _PaginatorOfRows = Paginator
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.urls import reverse

ROWS_COUNTED_MAX = 2_000
ROWS_SAMPLED = 2_000
_SIMULATION_ID = "simulation_id"


class BoundedPaginator(_PaginatorOfRows):
    """Counts at most ROWS_COUNTED_MAX rows: an exact count reads the whole table.

    The rows behind them are reached by a filter or a search.
    """

    @cached_property
    def count(self) -> int:
        """Return the number of rows on all pages."""
        rows = self.object_list
        if not isinstance(rows, QuerySet):
            return len(rows)
        return rows.order_by()[:ROWS_COUNTED_MAX].count()

    @property
    def is_bounded(self) -> bool:
        """Whether there may be more rows."""
        return self.count >= ROWS_COUNTED_MAX


class SampledValuesFilter(AllValuesFieldListFilter):
    """Offers the values of the latest ROWS_SAMPLED rows: those of all rows take too long."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        field, model = args[0], args[3]
        latest = model._default_manager.order_by("-pk").values_list(field.name, flat=True)
        values: Any = sorted(set(latest[:ROWS_SAMPLED]), key=str)
        self.lookup_choices = values


class ReadOnlyAdmin(_AdminOfAnyModel):
    """An admin page without add, change and delete.

    Rows follow from the log, or record answers of models, so they must not be edited. Lists are
    ordered by the key of the table, the latest row first, unless a subclass has an index for
    another order. Each row links to the pages of its simulation.

    A search compares fields with "=" as they are, upper and lower case too: Django's own
    comparison of upper-case texts takes no index, and converts ids to text.
    """

    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    list_per_page = 50
    list_max_show_all = 0
    paginator = BoundedPaginator
    actions = None
    ordering: ClassVar[tuple[str, ...]] = ("-pk",)

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        """Return the columns, with a link in place of the id of the simulation."""
        columns = super().get_list_display(request)
        linked = [self.simulation if name == _SIMULATION_ID else name for name in columns]
        return [*linked, self.row_links]

    def get_list_filter(self, request: HttpRequest) -> list[Any]:
        """Return the filters, with a bounded number of rows read for their values."""
        names = list(super().get_list_filter(request))
        if _SIMULATION_ID in {field.name for field in self.opts.get_fields()}:
            names.insert(0, _SIMULATION_ID)
        return [self._bounded_filter(name) for name in names]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Return the rows in which each word of the search is in one of the fields."""
        fields = self.get_search_fields(request)
        if not fields:
            return queryset, False
        for word in map(_unquoted, smart_split(search_term)):
            found = [one for name in fields if (one := self._comparison(str(name), word))]
            if not found:
                return queryset.none(), False
            queryset = queryset.filter(Q(*found, _connector=Q.OR))
        return queryset, False

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        """Return the fields, and the links of the row."""
        return [*super().get_readonly_fields(request, obj), "row_links"]

    @admin.display(description="simulation", ordering=_SIMULATION_ID)
    def simulation(self, row: Any) -> SafeString:
        """Return the link to the simulation of the row."""
        name = str(row.simulation_id)
        return format_html('<a href="{}">{}</a>', simulation_page(row.simulation_id), name[:8])

    @admin.display(description="pages")
    def row_links(self, row: Any) -> SafeString:
        """Return the links to the pages that show the row in its context."""
        links = [(address, label) for label, address in links_of_row(row)]
        return format_html_join(" · ", '<a href="{}">{}</a>', links)

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:  # noqa: ARG002  # Django's signature
        """Refuse."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:  # noqa: ARG002  # Django's signature
        """Refuse; Django then shows the row read-only."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:  # noqa: ARG002  # Django's signature
        """Refuse."""
        return False

    def _comparison(self, name: str, word: str) -> Q | None:
        """Return the condition of a search field; None if the field cannot have the value."""
        if not name.startswith("="):
            return Q(**{f"{name}__icontains": word})
        name = name.removeprefix("=")
        try:
            value = get_fields_from_path(self.model, name)[-1].to_python(word)
        except ValidationError:
            return None
        return Q(**{name: value})

    def _bounded_filter(self, name: Any) -> Any:
        if not isinstance(name, str):
            return name
        field: Any = self.opts.get_field(name)
        has_few = isinstance(field, BooleanField) or field.choices or field.is_relation
        return name if has_few else (name, SampledValuesFilter)


def _unquoted(word: str) -> str:
    is_quoted = word[0] in "\"'" and word[0] == word[-1]
    return unescape_string_literal(word) if is_quoted else word


def simulation_page(simulation_id: UUID) -> str:
    """Return the address of the overview of a simulation."""
    return _page("simulation", simulation_id)


def links_of_row(row: Any) -> Iterator[tuple[str, str]]:
    """Yield the labels and addresses of the pages that belong to a row."""
    if row._meta.label_lower == "simulation.simulationrow":
        yield "overview", simulation_page(row.pk)
    simulation_id = getattr(row, "simulation_id", None)
    if simulation_id is None:
        return
    if getattr(row, "agent", ""):
        yield "agent", _page("agent", simulation_id, agent=row.agent)
    event = getattr(row, "event", "") or getattr(row, "event_id", "")
    if isinstance(event, str) and event.count("/") == 2:
        tick, stream, ordinal = event.split("/")
        yield (
            "event",
            _page("event", simulation_id, tick=tick, stream=stream, ordinal=ordinal),
        )
    if getattr(row, "conversation", "").count("/") == 1:
        tick, opener = row.conversation.split("/")
        yield "conversation", _page("conversation", simulation_id, tick=tick, opener=opener)
    if getattr(row, "call_id", "").count("/") == 3:
        tick, stream, task, number = row.call_id.split("/")
        names = {"tick": tick, "stream": stream, "task": task, "number": number}
        yield "call", _page("call", simulation_id, **names)


def _page(name: str, simulation_id: UUID, **names: str) -> str:
    return reverse(f"admin:inspect-{name}", kwargs={"simulation": simulation_id, **names})
