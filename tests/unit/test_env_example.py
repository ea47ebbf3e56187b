"""The file .env.example explains every variable that the settings read, and no other."""

import re
from pathlib import Path

from apps.llm.servers.configuration import Server

ROOT = Path(__file__).resolve().parents[2]
READ_ELSEWHERE = {
    "DATABASE_HOST",
    "DATABASE_NAME",
    "DATABASE_PASSWORD",
    "DATABASE_PASSWORD_FILE",
    "DATABASE_PORT",
    "DATABASE_USER",
    "DOMAIN",
    "MODELS_FILE",
    "PORT",
    "PROMETHEUS_MULTIPROC_DIR",
    "SECRET_KEY_FILE",
    "SMALLVILLE_HOME",
    "TEST_DATABASE_URL",
    "WEB_CONCURRENCY",
}


class TestEnvExample:
    def test_names_what_the_settings_read(self) -> None:
        settings = (ROOT / "smallville_api" / "settings.py").read_text()
        read = set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', settings))
        example = (ROOT / ".env.example").read_text()
        explained = set(re.findall(r"^#?([A-Z_]+)=", example, re.MULTILINE))
        server = {
            f"OPENAI_{(field.alias or name).upper()}"
            for name, field in Server.model_fields.items()
        }
        assert explained - server == read | READ_ELSEWHERE
