"""The branch and its nearer ancestors as an array, by which copies are found."""

from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models

FILL = """
UPDATE lineage_lineagerow AS l SET nearer = l.branch || ARRAY(
    SELECT n.ancestor FROM lineage_lineagerow AS n
    WHERE n.branch = l.branch AND n.depth < l.depth ORDER BY n.depth
);
"""


class Migration(migrations.Migration):
    dependencies = [
        ("lineage", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="lineagerow",
            name="nearer",
            field=ArrayField(base_field=models.UUIDField(), default=list, size=None),
            preserve_default=False,
        ),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
    ]
