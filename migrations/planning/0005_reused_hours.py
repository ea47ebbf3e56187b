"""Actions of an hour that were planned in an earlier one."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("planning", "0004_free_time")]
    operations = [
        migrations.AddField(
            model_name="planitemrow",
            name="reused_from",
            field=models.CharField(db_collation="C", default="", max_length=160),
        ),
    ]
