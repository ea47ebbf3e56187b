from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("interaction", "0002_typed_answers")]

    operations = [
        migrations.RenameField("interviewrow", "asked_at", "requested_at"),
        migrations.RenameField("interviewrow", "answered_at", "finished_at"),
        migrations.RemoveField("interviewrow", "is_waited_for"),
        migrations.AddField(
            model_name="interviewrow",
            name="answered_by",
            field=models.CharField(
                choices=[("request", "Request"), ("worker", "Worker"), ("survey", "Survey")],
                default="request",
                max_length=7,
            ),
        ),
        migrations.AddField(
            model_name="interviewrow",
            name="seen_at",
            field=models.DateTimeField(null=True),
        ),
    ]
