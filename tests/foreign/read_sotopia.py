"""Reads an export with Sotopia, in its environment, and prints what it has found as JSON.

The export is in the storage of local files, HOME/.sotopia/data.
"""

import json

from sotopia.database import AgentProfile, EnvironmentProfile, EpisodeLog

if __name__ == "__main__":
    found = []
    for episode in EpisodeLog.all():
        profiles, lines = episode.render_for_humans()
        environment = EnvironmentProfile.get(episode.environment)
        found.append(
            {
                "pk": episode.pk,
                "agents": [f"{one.first_name} {one.last_name}" for one in profiles],
                "lines": lines,
                "scenario": environment.scenario,
                "goals": environment.agent_goals,
                "relationship": int(environment.relationship),
                "of_tag": len(EpisodeLog.find(EpisodeLog.tag == episode.tag).all()),
            }
        )
    print(json.dumps({"episodes": found, "profiles": len(AgentProfile.all())}))
