"""Calls the model StoredResponse; the table keeps its name, so nothing changes in it."""

from django.db import migrations


class Migration(migrations.Migration):
    """Renames the model in the state of the migrations only."""

    dependencies = [("access", "0002_members_and_kept_answers")]

    operations = [
        migrations.AlterModelTable(name="keptanswer", table="access_keptanswer"),
        migrations.RenameModel(old_name="KeptAnswer", new_name="StoredResponse"),
        migrations.AlterModelOptions(
            name="storedresponse", options={"verbose_name": "stored response"}
        ),
    ]
