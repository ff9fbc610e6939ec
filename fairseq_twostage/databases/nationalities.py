"""What is of a country, by the country: Danish bands are from Denmark."""

from __future__ import annotations

from collections.abc import Mapping

NATIONALITIES: Mapping[str, str] = {
    "afghanistan": "afghan", "albania": "albanian", "algeria": "algerian", "angola": "angolan",
    "argentina": "argentinian", "armenia": "armenian", "australia": "australian",
    "austria": "austrian", "azerbaijan": "azerbaijani", "bangladesh": "bangladeshi",
    "belarus": "belarusian", "belgium": "belgian", "bolivia": "bolivian", "bosnia": "bosnian",
    "botswana": "botswanan", "brazil": "brazilian", "bulgaria": "bulgarian",
    "cambodia": "cambodian", "cameroon": "cameroonian", "canada": "canadian", "chile": "chilean",
    "china": "chinese", "colombia": "colombian", "costa rica": "costa rican",
    "croatia": "croatian", "cuba": "cuban", "cyprus": "cypriot", "czech republic": "czech",
    "czechia": "czech", "denmark": "danish", "ecuador": "ecuadorian", "egypt": "egyptian",
    "england": "english", "estonia": "estonian", "ethiopia": "ethiopian", "finland": "finnish",
    "france": "french", "georgia": "georgian", "germany": "german", "ghana": "ghanaian",
    "greece": "greek", "guatemala": "guatemalan", "hungary": "hungarian", "iceland": "icelandic",
    "india": "indian", "indonesia": "indonesian", "iran": "iranian", "iraq": "iraqi",
    "ireland": "irish", "israel": "israeli", "italy": "italian", "jamaica": "jamaican",
    "japan": "japanese", "jordan": "jordanian", "kazakhstan": "kazakh", "kenya": "kenyan",
    "kuwait": "kuwaiti", "latvia": "latvian", "lebanon": "lebanese", "libya": "libyan",
    "lithuania": "lithuanian", "luxembourg": "luxembourgish", "malaysia": "malaysian",
    "mali": "malian", "malta": "maltese", "mexico": "mexican", "moldova": "moldovan",
    "mongolia": "mongolian", "morocco": "moroccan", "nepal": "nepalese", "netherlands": "dutch",
    "the netherlands": "dutch", "nigeria": "nigerian",
    "norway": "norwegian", "pakistan": "pakistani", "panama": "panamanian",
    "paraguay": "paraguayan", "peru": "peruvian", "philippines": "filipino", "poland": "polish",
    "portugal": "portuguese", "romania": "romanian", "russia": "russian", "rwanda": "rwandan",
    "saudi arabia": "saudi", "scotland": "scottish", "senegal": "senegalese",
    "serbia": "serbian", "singapore": "singaporean", "slovakia": "slovak",
    "slovenia": "slovenian", "south africa": "south african", "south korea": "korean",
    "spain": "spanish", "sri lanka": "sri lankan", "sudan": "sudanese", "sweden": "swedish",
    "switzerland": "swiss", "syria": "syrian", "taiwan": "taiwanese", "tanzania": "tanzanian",
    "thailand": "thai", "tunisia": "tunisian", "turkey": "turkish", "uganda": "ugandan",
    "ukraine": "ukrainian", "united kingdom": "british", "united states": "american",
    "united states of america": "american", "uruguay": "uruguayan", "uzbekistan": "uzbek",
    "venezuela": "venezuelan", "vietnam": "vietnamese", "wales": "welsh", "zambia": "zambian",
    "zimbabwe": "zimbabwean",
}  # fmt: skip
"""How people say that something is of a country."""
ALIASES: tuple[tuple[str, ...], ...] = (
    ("united kingdom", "uk", "great britain", "britain"),
    ("united states", "usa", "united states of america", "america"),
    ("united arab emirates", "uae"), ("netherlands", "the netherlands", "holland"),
    ("czech republic", "czechia"), ("south korea", "korea", "republic of korea"),
    ("turkey", "türkiye"), ("ivory coast", "côte d'ivoire"),
)  # fmt: skip
"""Names of one country; none that is a word of other meaning, as US is."""


_PEOPLE: Mapping[str, str] = {
    "argentinian": "argentines", "british": "britons", "danish": "danes", "finnish": "finns",
    "icelandic": "icelanders", "luxembourgish": "luxembourgers", "polish": "poles",
    "scottish": "scots", "spanish": "spaniards", "swedish": "swedes", "turkish": "turks",
}  # fmt: skip
_ALIKE = ("czech", "greek", "slovak", "cypriot", "filipino", "thai", "kazakh", "uzbek")
LANGUAGES: Mapping[str, str] = {
    "ar": "arabic", "bg": "bulgarian", "ca": "catalan", "cs": "czech", "cy": "welsh",
    "da": "danish", "de": "german", "el": "greek", "en": "english", "es": "spanish",
    "et": "estonian", "eu": "basque", "fa": "persian", "fi": "finnish", "fr": "french",
    "ga": "irish", "gd": "gaelic", "he": "hebrew", "hi": "hindi", "hr": "croatian",
    "hu": "hungarian", "id": "indonesian", "is": "icelandic", "it": "italian", "ja": "japanese",
    "ko": "korean", "la": "latin", "lt": "lithuanian", "lv": "latvian", "nb": "norwegian",
    "nl": "dutch", "no": "norwegian", "pl": "polish", "pt": "portuguese", "ro": "romanian",
    "ru": "russian", "sk": "slovak", "sl": "slovenian", "sr": "serbian", "sv": "swedish",
    "sw": "swahili", "th": "thai", "tr": "turkish", "uk": "ukrainian", "ur": "urdu",
    "vi": "vietnamese", "zh": "chinese",
}  # fmt: skip
"""Languages by their codes of two letters (ISO 639-1)."""


def _people(adjective: str) -> list[str]:
    """Several people of a country; nothing where they are no other word (the Dutch)."""
    regular = adjective.endswith(("an", "i")) or adjective in _ALIKE
    found = [f"{adjective}s"] if regular else []
    return [*found, _PEOPLE[adjective]] if adjective in _PEOPLE else found


def said_of_country(name: str) -> list[str]:
    """Other names of a country, how people say that something is of it, and how those of it are
    called; of nothing else nothing."""
    names = next((names for names in ALIASES if name in names), (name,))
    found = [other for other in names if other != name]
    of_it = [NATIONALITIES[each] for each in names if each in NATIONALITIES]
    people = [form for adjective in of_it for form in _people(adjective)]
    return [*found, *dict.fromkeys((*of_it, *people))]
