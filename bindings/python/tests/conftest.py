"""Texts that the tests share."""

from __future__ import annotations

import matplotlib
import pytest

import handful

matplotlib.use("Agg")

TEXTS = {
    "hive": "The bees left the hive in May; the queen and half of the workers went with them. "
    "A beekeeper found the swarm in an apple tree, and the honey was lost.",
    "winter": "A hive needs forty pounds of honey to bring its bees through the winter. Mites "
    "weaken the bees, so the beekeeper looks at the brood in autumn.",
    "crust": "Knead flour, water, salt and yeast; let the dough rise, then bake the bread until "
    "the crust is brown. A hot oven and a little steam make a better crust.",
    "rye": "Bread dough that rises overnight in the cold has more flavour when it is baked. Rye "
    "flour needs more water than wheat flour, and a longer rest.",
}


@pytest.fixture(scope="session")
def texts() -> dict[str, str]:
    return TEXTS


@pytest.fixture(scope="session")
def fit() -> handful.Fit:
    return handful.fit(TEXTS)
