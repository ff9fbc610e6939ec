"""The eight Overnight worlds, as declarations that a seeded generator draws from.

A world is a list of steps, run in order. :class:`Entities` creates a group: named ones first,
then numbered ones up to ``count``; each new entity gets its ``type``. :class:`Facts` draws, for
each entity of a group in order, the values of its properties in order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fairseq_twostage.semantics.java import JavaRandom
from fairseq_twostage.semantics.values import TRUE, Date, Name, Number, Time, Value
from fairseq_twostage.semantics.world import TripleStore

SEED = 1
SAMPLES = 60
"""How many entities the main types have."""

Groups = dict[str, list[Name]]
Draw = Callable[[JavaRandom, Groups], list[Value]]
"""Draws the values of one property of one entity; several draws or none give several values."""


@dataclass(frozen=True)
class Entities:
    """Create the group ``type``: ``names`` and then numbered entities, ``count`` in all."""

    type: str
    names: tuple[str, ...]
    count: int = 0


@dataclass(frozen=True)
class Facts:
    """Draw the properties of every entity of the group ``type``, in order."""

    type: str
    properties: tuple[tuple[str, Draw], ...]


Steps = tuple[Entities | Facts, ...]


def create_entity(store: TripleStore, entity: Name) -> None:
    """Insert the ``type`` of an entity that the store does not know."""
    if not store.knows(entity):
        store.add(entity, "type", Name(entity.type))


def generate(domain: str) -> TripleStore:
    """The triples of an Overnight domain, always the same.

    Raises:
        KeyError: no such domain.
    """
    store, random, groups = TripleStore(), JavaRandom(SEED), Groups()
    for step in OVERNIGHT[domain]:
        if isinstance(step, Entities):
            numbers = range(len(step.names), step.count)
            ids = [f"{step.type}.{name}" for name in (*step.names, *numbers)]
            groups[step.type] = list(map(Name, ids))
            for entity in groups[step.type]:
                create_entity(store, entity)
        else:
            for entity in groups[step.type]:
                for property, draw in step.properties:
                    for value in draw(random, groups):
                        store.add(entity, property, value)
    return store


# Draws


def _between(random: JavaRandom, low: int, high: int) -> int:
    return random.next_int(high - low) + low


def _heads(random: JavaRandom) -> bool:
    return random.next_double() < 0.5


def number(low: int, high: int, unit: str) -> Draw:
    """A whole number, ``high`` excluded."""
    return lambda random, groups: [Number(float(_between(random, low, high)), unit)]


def usual_or(usual: int, low: int, high: int, unit: str) -> Draw:
    """Evenly the usual number or one drawn beforehand."""

    def draw(random: JavaRandom, groups: Groups) -> list[Value]:
        choices = (usual, _between(random, low, high))
        return [Number(float(choices[random.next_int(2)]), unit)]

    return draw


def year(random: JavaRandom, groups: Groups) -> list[Value]:
    """A year from 2000 to 2009, without month and day."""
    return [Date(_between(random, 2000, 2010), -1, -1)]


def day(random: JavaRandom, groups: Groups) -> list[Value]:
    """One of the first four days of 2015."""
    return [Date(2015, 1, _between(random, 1, 5))]


def hour(random: JavaRandom, groups: Groups) -> list[Value]:
    """A full hour of the working day."""
    return [Time(_between(random, 9, 16), 0)]


def coin(random: JavaRandom, groups: Groups) -> list[Value]:
    """True or nothing."""
    return [TRUE] if _heads(random) else []


def always(random: JavaRandom, groups: Groups) -> list[Value]:
    """True, without drawing."""
    return [TRUE]


def _picks(random: JavaRandom, group: Sequence[Name], count: int) -> list[Value]:
    return [group[random.next_int(len(group))] for _ in range(count)]


def pick(type: str, count: int = 1) -> Draw:
    """``count`` independent picks from a group; repeats are possible."""
    return lambda random, groups: _picks(random, groups[type], count)


def pick_some(type: str, low: int, high: int) -> Draw:
    """A drawn number of independent picks, ``high`` excluded."""
    return lambda random, groups: _picks(random, groups[type], _between(random, low, high))


def each(type: str) -> Draw:
    """Every member of the group by its own coin."""
    return lambda random, groups: [member for member in groups[type] if _heads(random)]


def focus(type: str) -> Draw:
    """The group's first member by a coin, else a pick."""

    def draw(random: JavaRandom, groups: Groups) -> list[Value]:
        group = groups[type]
        return [group[0]] if _heads(random) else _picks(random, group, 1)

    return draw


def _coins(*properties: str) -> tuple[tuple[str, Draw], ...]:
    return tuple((property, coin) for property in properties)


def _counts(**units: str) -> tuple[tuple[str, Draw], ...]:
    return tuple((f"num_{what}", number(0, 10, unit)) for what, unit in units.items())


# Worlds

_NEIGHBORHOODS = Entities("en.neighborhood", ("tribeca", "midtown_west", "chelsea"))

OVERNIGHT: dict[str, Steps] = {
    "basketball": (
        Entities("en.player", ("kobe_bryant", "lebron_james"), SAMPLES),
        Entities("en.team", ("lakers", "cavaliers")),
        Entities("en.position", ("point_guard", "forward")),
        Entities("en.stats", (), SAMPLES),
        Facts(
            "en.stats",
            (
                ("player", focus("en.player")),
                ("position", pick("en.position")),
                ("team", pick("en.team")),
                ("season", year),
                *_counts(
                    points="point",
                    assists="assist",
                    steals="steal",
                    turnovers="turnover",
                    rebounds="rebound",
                    blocks="block",
                    fouls="foul",
                    games_played="game",
                ),
            ),
        ),
    ),
    "blocks": (
        Entities("en.block", ("block1", "block2"), SAMPLES),
        Entities("en.shape", ("pyramid", "cube")),
        Entities("en.color", ("red", "green")),
        Facts(
            "en.block",
            (
                ("shape", pick("en.shape")),
                ("color", pick("en.color")),
                ("length", number(2, 8, "en.inch")),
                ("width", number(2, 8, "en.inch")),
                ("height", number(2, 8, "en.inch")),
                ("left", pick("en.block")),
                ("right", pick("en.block")),
                ("above", pick("en.block")),
                ("below", pick("en.block")),
                ("is_special", coin),
            ),
        ),
    ),
    "calendar": (
        Entities("en.meeting", ("weekly_standup", "annual_review"), SAMPLES),
        Entities("en.person", ("alice", "bob")),
        Entities("en.location", ("greenberg_cafe", "central_office")),
        Facts(
            "en.meeting",
            (
                ("date", day),
                ("start_time", hour),
                ("end_time", hour),
                ("length", number(1, 4, "en.hour")),
                ("attendee", pick("en.person", 2)),
                ("location", pick("en.location")),
                ("is_important", coin),
            ),
        ),
    ),
    "housing": (
        Entities("en.housing_unit", ("123_sesame_street", "900_mission_ave"), SAMPLES),
        Entities("en.housing", ("apartment", "condo", "house", "flat")),
        _NEIGHBORHOODS,
        Facts(
            "en.housing_unit",
            (
                ("rent", usual_or(1500, 1000, 3000, "en.dollar")),
                ("size", usual_or(800, 500, 1500, "en.square_feet")),
                ("posting_date", year),
                ("neighborhood", pick("en.neighborhood")),
                ("housing_type", pick("en.housing")),
                *_coins("allows_cats", "allows_dogs", "has_private_bath", "has_private_room"),
            ),
        ),
    ),
    "publications": (
        Entities("en.article", ("multivariate_data_analysis",), SAMPLES),
        Entities("en.person", ("efron", "lakoff")),
        Entities("en.venue", ("computational_linguistics", "annals_of_statistics")),
        Facts(
            "en.article",
            (
                ("author", pick("en.person", 2)),
                ("venue", pick("en.venue")),
                ("publication_date", year),
                ("cites", pick_some("en.article", 1, 10)),
                ("won_award", always),
            ),
        ),
    ),
    "recipes": (
        Entities("en.recipe", ("rice_pudding", "quiche"), SAMPLES),
        Entities("en.cuisine", ("chinese", "french")),
        Entities("en.ingredient", ("milk", "spinach")),
        Entities("en.meal", ("lunch", "dinner")),
        Facts(
            "en.recipe",
            (
                ("preparation_time", number(5, 30, "en.minute")),
                ("cooking_time", number(5, 30, "en.minute")),
                ("cuisine", pick("en.cuisine")),
                ("requires", pick("en.ingredient")),
                ("meal", pick("en.meal")),
                ("posting_date", year),
            ),
        ),
    ),
    "restaurants": (
        Entities("en.restaurant", ("thai_cafe", "pizzeria_juno"), SAMPLES),
        _NEIGHBORHOODS,
        Entities("en.cuisine", ("thai", "french", "italian")),
        Entities("en.food", ("breakfast", "lunch", "dinner")),
        Facts(
            "en.restaurant",
            (
                ("star_rating", number(0, 6, "en.star")),
                ("price_rating", number(1, 5, "en.dollar_sign")),
                ("num_reviews", number(20, 60, "en.review")),
                ("neighborhood", pick("en.neighborhood")),
                ("cuisine", pick("en.cuisine")),
                ("meals", each("en.food")),
                *_coins("reserve", "credit", "outdoor", "takeout"),
                *_coins("delivery", "waiter", "kids", "groups"),
            ),
        ),
    ),
    "socialnetwork": (
        Entities("en.person", ("alice", "bob"), SAMPLES),
        Entities("en.gender", ("male", "female")),
        Entities("en.relationship_status", ("single", "married")),
        Entities("en.city", ("new_york", "beijing")),
        Entities("en.university", ("brown", "berkeley", "ucla")),
        Entities("en.field", ("computer_science", "economics", "history")),
        Entities("en.company", ("google", "mckinsey", "toyota")),
        Entities("en.job_title", ("ceo", "software_engineer", "program_manager")),
        Facts(
            "en.person",
            (
                ("gender", pick("en.gender")),
                ("relationship_status", pick("en.relationship_status")),
                ("height", number(150, 210, "en.cm")),
                ("birthdate", year),
                ("birthplace", pick("en.city")),
                ("friend", pick_some("en.person", 0, 3)),
                ("logged_in", coin),
            ),
        ),
        Entities("en.education", (), SAMPLES),
        Facts(
            "en.education",
            (
                ("student", focus("en.person")),
                ("university", pick("en.university")),
                ("field_of_study", pick("en.field")),
                ("education_start_date", year),
                ("education_end_date", year),
            ),
        ),
        Entities("en.employment", (), SAMPLES),
        Facts(
            "en.employment",
            (
                ("employee", focus("en.person")),
                ("employer", pick("en.company")),
                ("job_title", pick("en.job_title")),
                ("employment_start_date", year),
                ("employment_end_date", year),
            ),
        ),
    ),
}
