"""A morning of five agents of Smallville, and members of the staff who look at it."""

from dataclasses import dataclass, field

import pytest
from django.contrib.auth.models import User
from django.test import Client

from apps.access.membership import add_member
from apps.access.rights import Role
from apps.agents.queries import names_of_agents
from apps.simulation.models import SimulationRow
from tests.support.snapshots import simulated
from tests.support.towns import shared_fixture

FIVE = (
    "Isabella Rodriguez",
    "Klaus Mueller",
    "Maria Lopez",
    "Ayesha Khan",
    "Wolfgang Schulz",
)
NOON = "2023-02-13T13:00"


lived = shared_fixture(lambda: simulated(NOON, agents=FIVE))


@dataclass
class Staff:
    """A member of the staff in a browser, at the pages of one simulation."""

    user: User
    simulation: SimulationRow
    client: Client = field(default_factory=Client)

    def __post_init__(self) -> None:
        self.client.force_login(self.user)

    @property
    def base(self) -> str:
        return f"/admin/simulations/{self.simulation.pk}/"

    @property
    def names(self) -> dict[str, str]:
        """The names of the agents by slug."""
        return names_of_agents(self.simulation.pk, as_of_tick=self.simulation.committed_tick)

    def page(self, path: str = "", status: int = 200) -> str:
        """Return the text of a page below the simulation, or at an address."""
        address = path if path.startswith("/") else f"{self.base}{path}"
        response = self.client.get(address)
        assert response.status_code == status, f"{address}: {response.status_code}"
        return response.content.decode()

    def control(self, control: str, /, **fields: object) -> int:
        """Fill in a control and return the status of the response."""
        form = {f"{control}-{field}": value for field, value in fields.items()}
        response = self.client.post(f"{self.base}controls/", {"control": control, **form})
        return response.status_code


@pytest.fixture
def operator(lived: SimulationRow, db: None) -> Staff:
    """Return an administrator, who may read and command everything."""
    return Staff(User.objects.create_superuser("operator"), lived)


def staff_with(role: Role | None, simulation: SimulationRow) -> Staff:
    """Return a member of the staff with a role in the simulation, or with none."""
    user = User.objects.create_user(f"a-{role or 'stranger'}", is_staff=True)
    if role is not None:
        add_member(simulation.pk, user.username, role, by="operator")
    return Staff(user, simulation)
