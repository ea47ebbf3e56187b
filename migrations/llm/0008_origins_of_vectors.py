import uuid

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("llm", "0007_reused_calls")]

    operations = [
        migrations.AddField(
            model_name="embeddingrow",
            name="origin",
            field=models.UUIDField(default=uuid.UUID(int=0)),
        ),
        migrations.RemoveConstraint(model_name="embeddingrow", name="embedding_once"),
        migrations.AddConstraint(
            model_name="embeddingrow",
            constraint=models.UniqueConstraint(
                fields=["model", "dimensions", "text_sha256", "origin"], name="embedding_once"
            ),
        ),
    ]
