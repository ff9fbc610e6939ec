"""Verbs and the like that a noun implies: what is *prescribed*, where prescriptions are counted."""

from __future__ import annotations

from fairseq_twostage.text.function_words import word_set
from fairseq_twostage.text.word_forms import base

_IMPLIED: dict[str, str] = {
    # what happened
    "appointment visit consultation": "see seen saw visit visited come came attend attended",
    "booking booked reservation book": (
        "book booked order ordered reserve reserved charter chartered"
    ),
    "letter email message": "send sends sent write writes wrote",
    "certificate cert certification license licence qualification": (
        "hold holds held holding certified licensed qualified pass passed"
    ),
    "check inspection service audit survey": (
        "carry carried out conduct conducted do did done perform performed"
    ),
    "claim": "insurance",
    "complaint": "complain complained complaining",
    "delivery shipment": "deliver delivered ship shipped send sent handle handled",
    "donation": "donate donated give gave given",
    "game match": "play played plays playing",
    "hour": "book booked log logged work worked record recorded",
    "issue incident": "file filed report reported raise raised",
    "job": "do did done give given",
    "loan": "borrow borrowed lend lent",
    "order purchase sale buy": "order ordered buy bought purchase purchased sell sold place placed",
    "outing trip": "go went gone take took taken",
    "passenger cargo freight": "carry carries carried carrying flew flown transport transported",
    "payment": "pay paid receive received",
    "performance perform": "play plays played playing perform performed appear appeared",
    "prescription": "prescribe prescribed",
    "refuelling refueling refuel": "fill filled fuel fuelled petrol refuelled tank tanked",
    "rental hire rent": "rented hired borrow borrowed",
    "repair": "repaired fix fixed",
    "review rating": "rate rated reviewed write wrote written",
    "role part": "act acts acted play plays played playing star stars starring",
    "skill": "know knows play plays speak speaks",
    "sponsorship": "sponsor sponsored sponsoring",
    "treatment": "treat treated undergo underwent",
    # how things are counted
    "each per": "came come through via",
    # what belongs to a thing
    "builder company label maker manufacturer producer winery": (
        "build builds built make makes made manufacture manufactured produce produces produced "
        "release released"
    ),
    "capacity seat": "accommodate accommodates fit fits hold holds people persons seat seats take",
    "adviser advisor agent curator executive handler head manager": (
        "charge handle handles look looked looks represent represented represents responsible run "
        "runs"
    ),
    "expiry expiration expire end ends": "run runs running ran out end ends lapse lapses",
    "area": "square meter meters metre metres acre acres hectare hectares",
    "distance": "kilometer kilometers kilometre kilometres km mile miles",
    "volume": "liter liters litre litres",
    "weight": "kilo kilos kilogram kilograms kg tonne tonnes",
    "joined hired": "society association company firm organisation organization",
    "location": "filmed filming held shot shooting",
    "missing": "gone went",
    "office": "based sit sits sitting work works working",
    "total": "altogether combined overall together",
    "credit": "worth",
    "income paid rate salary wage": "earn earns earned earning earnings make makes making",
    "destination to": "bound headed heading",
}
_VERBS = {noun: word_set(verbs) for nouns, verbs in _IMPLIED.items() for noun in nouns.split()}


def implied_words(tokens: str, paraphrase: str) -> set[str]:
    """Words of a question that say what a noun of what was understood says by itself."""
    nouns = {form for word in paraphrase.split() for form in (word, base(word))}
    said = {verb for noun in nouns for verb in _VERBS.get(noun, ())}
    return said.intersection(tokens.split())
