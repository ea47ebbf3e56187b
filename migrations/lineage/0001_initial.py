"""The tables of the app `lineage`."""

import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="LineageRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("branch", models.UUIDField()),
                ("ancestor", models.UUIDField()),
                ("depth", models.IntegerField()),
                ("until_tick", models.IntegerField()),
                (
                    "nearer",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.UUIDField(), size=None
                    ),
                ),
                ("has_same_seed", models.BooleanField()),
            ],
            options={
                "verbose_name": "ancestor of a branch",
                "verbose_name_plural": "ancestors of branches",
                "indexes": [models.Index(fields=["ancestor", "branch"], name="lineage_branch")],
                "constraints": [
                    models.UniqueConstraint(fields=("branch", "depth"), name="lineage_identity")
                ],
            },
        ),
    ]
