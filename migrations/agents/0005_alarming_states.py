"""Whether the state that a user has set of an object is a danger."""

from django.db import migrations, models

from apps.agents.alarms import is_alarming


def read_states(apps, schema_editor):
    """Read the states that are stored already as they were read until now."""
    rows = apps.get_model("agents", "ObjectStateRow").objects.all()
    alarming = [row.pk for row in rows.only("pk", "state").iterator() if is_alarming(row.state)]
    rows.filter(pk__in=alarming).update(is_alarming=True)


class Migration(migrations.Migration):
    dependencies = [("agents", "0004_kind_of_action")]
    operations = [
        migrations.AddField(
            model_name="objectstaterow",
            name="is_alarming",
            field=models.BooleanField(default=False),
        ),
        migrations.RunPython(read_states, migrations.RunPython.noop),
    ]
