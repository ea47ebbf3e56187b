"""Names of rows in the admin."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("agents", "0005_alarming_states")]
    operations = [
        migrations.AlterModelOptions("agentrow", {"verbose_name": "agent"}),
        migrations.AlterModelOptions("seenpersonrow", {"verbose_name": "seen agent"}),
        migrations.AlterModelOptions("turnedawayrow", {"verbose_name": "refused attempt"}),
    ]
