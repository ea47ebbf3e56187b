"""The projection of reflections."""

from apps.eventlog.projection import Projection
from apps.eventlog.row_writing import inserting
from apps.reflection.events import Reflected
from apps.reflection.models import ReflectionRow

REFLECTIONS = Projection(
    models=(ReflectionRow,),
    handlers={Reflected: inserting(ReflectionRow)},
)
