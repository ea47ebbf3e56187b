"""All the looks that a plan can name."""

from worlds.drawing.garden_looks import GARDEN_LOOKS
from worlds.drawing.ground_looks import GROUND_LOOKS
from worlds.drawing.home_looks import HOME_LOOKS
from worlds.drawing.look import Look
from worlds.drawing.public_looks import PUBLIC_LOOKS
from worlds.drawing.trade_looks import TRADE_LOOKS
from worlds.drawing.wall_looks import WALL_LOOKS

LOOKS: dict[str, Look] = {
    **GROUND_LOOKS,
    **WALL_LOOKS,
    **HOME_LOOKS,
    **PUBLIC_LOOKS,
    **TRADE_LOOKS,
    **GARDEN_LOOKS,
}
