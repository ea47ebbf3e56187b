"""Acts of actions, and their outcomes."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("agents", "0006_plain_names"),
    ]

    operations = [
        migrations.AddField(
            model_name="actionrow",
            name="act",
            field=models.CharField(default="none", max_length=20),
        ),
        migrations.AddField(
            model_name="actionrow",
            name="other",
            field=models.CharField(db_collation="C", default="", max_length=120),
        ),
        migrations.CreateModel(
            name="ActReportRow",
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
                ("plan_item", models.IntegerField()),
                ("kind", models.CharField(max_length=20)),
                ("other", models.CharField(db_collation="C", max_length=120)),
                ("outcome", models.CharField(max_length=20)),
                ("area", models.CharField(max_length=300)),
            ],
            options={
                "verbose_name": "report of an act",
                "indexes": [
                    models.Index(
                        fields=["simulation_id", "agent", "plan_item"],
                        name="act_report_of_item",
                    )
                ],
            },
        ),
    ]
