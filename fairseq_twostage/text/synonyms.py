"""Nouns that people have for the same things."""

from __future__ import annotations

from collections.abc import Collection

from fairseq_twostage.text.word_forms import base

OTHERWISE_CALLED = {
    "actor": ("performer",), "role": ("part", "character"),
    "aircraft": ("plane", "airplane"), "animal": ("pet",), "apartment": ("flat",),
    "applicant": ("candidate",), "appointment": ("visit",), "artist": ("band", "act"),
    "attendee": ("participant",), "bicycle": ("bike",), "bike": ("bicycle",), "bill": ("invoice",),
    "booking": ("reservation", "charter"), "branch": ("office",), "business": ("company", "firm"),
    "buyer": ("customer",), "candidate": ("applicant",), "carrier": ("shipper",),
    "children": ("kid", "kids"), "city": ("town",), "class": ("course",), "client": ("customer",),
    "coach": ("trainer",), "company": ("firm",), "course": ("class",),
    "customer": ("client", "buyer"), "delivery": ("shipment",), "depot": ("warehouse",),
    "doctor": ("physician",), "domain": ("area", "field"), "donation": ("gift", "contribution"),
    "donor": ("giver",), "drug": ("medicine", "medication"),
    "employee": ("worker", "staff member", "colleague"), "equipment": ("machine",),
    "film": ("movie",), "firm": ("company",), "flat": ("apartment",), "harbor": ("marina", "port"),
    "holder": ("member",),
    "harbour": ("marina", "port"), "home": ("house",), "house": ("home",),
    "instructor": ("teacher",), "inventory": ("copy",), "invoice": ("bill", "order"),
    "issue": ("ticket",), "journey": ("trip",), "location": ("site", "office"),
    "medication": ("drug", "medicine"), "medicine": ("drug", "medication"), "movie": ("film",),
    "office": ("branch",), "outing": ("trip",), "parcel": ("property", "lot"),
    "participant": ("attendee",), "payer": ("insurer",), "photo": ("picture",),
    "physician": ("doctor",), "product": ("item", "article"), "publication": ("paper", "article"),
    "pupil": ("student",), "reservation": ("booking",), "ship": ("vessel",),
    "shipment": ("delivery", "consignment"), "shipper": ("carrier",), "shop": ("store",),
    "show": ("programme", "program"),
    "song": ("track",), "staff": ("employee", "staff member", "worker", "colleague"),
    "store": ("shop",), "student": ("pupil",), "supplier": ("vendor",), "teacher": ("instructor",),
    "tenant": ("renter",), "track": ("song",), "trainer": ("coach", "instructor"),
    "trip": ("journey",), "vendor": ("supplier",), "venue": ("stage", "location", "hall"),
    "vessel": ("ship",), "warehouse": ("depot",),
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
