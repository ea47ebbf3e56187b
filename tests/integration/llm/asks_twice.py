"""A process that asks two questions one after the other, to be killed in between."""

import sys
from uuid import UUID

import django

django.setup()

from apps.llm.hashing_embedding import HashingEmbedding  # noqa: E402  # Django comes first
from apps.llm.opening import Models, open_agent_llm  # noqa: E402
from apps.llm.servers.configuration import Server  # noqa: E402
from apps.llm.servers.openai_chat import OpenAIChatModel  # noqa: E402
from tests.model_server.example import IMPORTANCES, INPUTS  # noqa: E402
from tests.model_server.server import KEY, MODEL  # noqa: E402

simulation_id, base_url = sys.argv[1:]
server = Server(name="test", base_url=base_url, api_key=KEY, chat_model=MODEL)
models = Models(chat=OpenAIChatModel(server, MODEL), embedding=HashingEmbedding(), seed=1)
llm = open_agent_llm(
    simulation_id=UUID(simulation_id), tick=7, stream="klaus-mueller", models=models
)
for _ in range(2):
    llm.ask(IMPORTANCES, INPUTS)
