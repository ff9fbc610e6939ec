"""Words for units, for what is measured, and for each of some."""

from __future__ import annotations

from fairseq_twostage.text.function_words import word_set

UNITS = word_set(
    "millisecond second minute hour day week month year euro dollar pound cent franc rupee yen "
    "krona krone zloty koruna kilometer kilometre meter metre mile foot feet inch inche yard "
    "percent centimeter centimetre gram kilo kilogram ton tonne ounce liter litre"
)
MEASURES = UNITS | {"people", "person"}
EACH = word_set("each per every")
