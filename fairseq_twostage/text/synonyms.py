"""Nouns that people have for the same things."""

from __future__ import annotations

from collections.abc import Collection

from fairseq_twostage.text.word_forms import base

OTHERWISE_CALLED = {
    "aircraft": ("plane", "airplane"), "apartment": ("flat",), "artist": ("band",),
    "bill": ("invoice",), "booking": ("reservation",), "branch": ("office",),
    "business": ("company", "firm"), "buyer": ("customer",), "carrier": ("shipper",),
    "children": ("kid", "kids"), "city": ("town",), "client": ("customer",), "company": ("firm",),
    "customer": ("client", "buyer"), "domain": ("area", "field"), "doctor": ("physician",),
    "donation": ("gift", "contribution"), "donor": ("giver",),
    "employee": ("worker", "staff member", "colleague"), "equipment": ("machine",),
    "film": ("movie",), "firm": ("company",),
    "flat": ("apartment",), "inventory": ("copy",), "invoice": ("bill", "order"),
    "location": ("site", "office"), "movie": ("film",), "office": ("branch",),
    "parcel": ("property", "lot"), "photo": ("picture",), "physician": ("doctor",),
    "product": ("item", "article"),
    "publication": ("paper", "article"), "pupil": ("student",), "reservation": ("booking",),
    "shipper": ("carrier",),
    "shop": ("store",), "song": ("track",),
    "staff": ("employee", "staff member", "worker", "colleague"), "store": ("shop",),
    "student": ("pupil",), "supplier": ("vendor",), "track": ("song",), "vendor": ("supplier",),
}  # fmt: skip
"""Other nouns for things, where a domain has them for nothing else."""
_THINGS: dict[str, list[str]] = {}
for _thing, _others in OTHERWISE_CALLED.items():
    for _form in {form for other in _others for form in (other, base(f"{other}s"))}:
        _THINGS.setdefault(_form, []).append(_thing)


def known_as(noun: str, things: Collection[str]) -> str | None:
    """The thing that is called so, by its own noun or by one that people have for it."""
    called = (thing for thing in (noun, *_THINGS.get(noun, ())) if thing in things)
    return next(called, None)
