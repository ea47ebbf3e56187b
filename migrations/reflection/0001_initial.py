"""The tables of the app `reflection`."""

from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="ReflectionRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("simulation_id", models.UUIDField()),
                ("agent", models.CharField(db_collation="C", max_length=120)),
                ("tick", models.IntegerField()),
                ("ordinal", models.IntegerField()),
                ("importance", models.IntegerField()),
                ("questions", models.JSONField(default=list)),
                ("insights", models.JSONField(default=list)),
                ("dropped", models.JSONField(default=list)),
                ("kind", models.CharField(default="insights", max_length=20)),
            ],
            options={
                "verbose_name": "reflection",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("simulation_id", "agent", "tick", "kind"),
                        name="reflection_identity",
                    )
                ],
            },
        ),
    ]
