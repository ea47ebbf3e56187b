"""The tables of the app `facts`."""

from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="FactRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("copied_from", models.BigIntegerField(editable=False, null=True)),
                ("simulation_id", models.UUIDField()),
                ("agent", models.CharField(db_collation="C", max_length=120)),
                ("from_tick", models.IntegerField()),
                ("to_tick", models.IntegerField(null=True)),
                ("number", models.IntegerField()),
                ("kind", models.CharField(max_length=20)),
                ("other", models.CharField(db_collation="C", max_length=120)),
                ("tie", models.CharField(max_length=20)),
                ("standing", models.CharField(max_length=20)),
                ("statements", models.JSONField()),
                ("opinion", models.TextField()),
                ("evidence", models.JSONField()),
                ("source", models.CharField(max_length=20)),
                ("until", models.CharField(max_length=19)),
            ],
            options={
                "verbose_name": "lasting fact",
                "indexes": [
                    models.Index(
                        condition=models.Q(("copied_from__isnull", False)),
                        fields=["simulation_id", "copied_from"],
                        name="fact_copies",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("simulation_id", "agent", "number", "from_tick"),
                        name="fact_identity",
                    )
                ],
            },
        ),
    ]
