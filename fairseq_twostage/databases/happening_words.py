"""Words for dates, for what happens then, and for the ends of ways."""

from __future__ import annotations

from fairseq_twostage.text.function_words import word_set

ALONE = ("built", "born", "founded")  # they say how, without a date behind them
YEARS = ("year", "built", "born", "since", "vintage")
CHECKS = {"in": "that arrive", "out": "that leave"}
"""How a condition on the date of a check in or out is said."""
MOMENTS = {
    "birth": "born", "founding": "founded", "hire": "hired", "hiring": "hired",
    "opening": "opened", "publication": "published", "release": "released", "start": "that started",
    "end": "that ended", "join": "that joined", "joining": "that joined", "ship": "shipped",
    "since": "since", "vintage": "vintage", "admission": "admitted", "arrival": "that arrived",
    "death": "that died", "departure": "that departed", "discharge": "discharged", "due": "due",
    "enrollment": "enrolled", "enrolment": "enrolled", "prescription": "prescribed",
    "registration": "registered", "return": "returned", "purchase": "bought",
    "acquisition": "acquired", "signup": "that signed up", "launch": "launched",
    "cancel": "cancelled", "cancellation": "cancelled", "issue": "issued", "filing": "filed",
    "leave": "left", "leaving": "left", "exit": "left",
    "expiry": "that expire", "expiration": "that expire",
}  # fmt: skip
"""How a condition on such a date is said."""
SPANS = (
    ("start", "end"), ("begin", "end"), ("started", "ended"), ("start", "finish"),
    ("from", "to"), ("from", "until"), ("admission", "discharge"), ("admitted", "discharged"),
    ("opening", "closing"), ("pickup", "return"), ("rental", "return"), ("departure", "return"),
    ("check in", "check out"), ("opened", "closed"), ("opened", "resolved"),
    ("created", "closed"), ("created", "resolved"), ("reported", "resolved"),
    ("reported", "fixed"), ("opened", "fixed"), ("reported", "closed"), ("order", "shipped"),
    ("ordered", "shipped"), ("order", "delivered"), ("ordered", "delivered"),
)  # fmt: skip
"""Pairs of dates between which something lasts."""
CREATED = {
    **dict.fromkeys(("account", "client", "customer", "member", "subscriber", "user"),
                    "that signed up"),
    **dict.fromkeys(("issue", "ticket", "case", "incident"), "opened"),
}  # fmt: skip
"""How is said when the row of one of these was created."""
HAPPENED = {
    "bill": "issued", "booking": "made", "invoice": "issued", "order": "placed", "payment": "made",
    "purchase": "made", "receipt": "issued", "review": "written", "sale": "made",
}  # fmt: skip
"""How a condition on the date of these is said."""
ALSO_CALLED = {
    **dict.fromkeys(("joined", "joined us", "joined the company", "joined the firm"), "hired"),
    **{
        f"{start} {here}": "hired"
        for start in ("start", "started", "start working", "started working")
        for here in ("here", "with us", "for us", "at the company")
    },
    **dict.fromkeys(("resigned", "quit", "left us", "left the company", "left the firm"), "left"),
    "invoiced": "issued",
    "applied for": "filed",
    "begun": "started",
    "began": "started",
    **dict.fromkeys(("run out", "runs out", "running out", "ran out"), "expire"),
}
"""Words for what happened, where the database has the other one alone."""
LEFT = {
    **{
        f"no longer {works}{here}": "have left"
        for works in ("work", "works", "working", "employed")
        for here in (" here", " for us", " with us", "")
    },
    **dict.fromkeys(("no longer with us", "no longer here"), "have left"),
    **dict.fromkeys(
        ("are still with us", "are still here", "are still employed", "is still with us",
         "is still here", "is still employed", "still with us", "still here", "still employed"),
        "still work",
    ),
}  # fmt: skip
"""What is said of those who left and who did not, where it is known when."""
NOW = ("right now", "at the moment")
"""Idioms that mean something there."""
NOBODY = {
    f"{nobody}{words}": called
    for nobody in ("nobody", "no one")
    for words, called in ((" has ever", "are never"), (" ever", "are never"), (" has", "are not"))
}
"""What is done by nobody is not done."""
OFFERS = word_set(
    "contract insurance lease licence license membership passport policy subscription visa warranty"
)
"""Their end is when they expire."""
DONE_BY = {
    "booked": "book", "borrowed": "borrow", "filed": "file", "ordered": "order", "rented": "rent",
    "requested": "request", "reserved": "reserve", "submitted": "submit",
}  # fmt: skip
"""What persons do in that of which a date says when it was done."""
ENDS = {
    ("origin", "source", "departure", "sender", "pickup"): "from",
    ("destination", "arrival", "recipient", "receiver", "dropoff", "target"): "to",
}
"""How people say which end of a way something is: flights from an airport."""
PLACE_ENDS = {
    ("start", "starting", "loading", "collection", "boarding"): "from",
    ("end", "ending", "unloading", "delivery", "finish"): "to",
}
"""Likewise before a place: an end station, no end date."""
TRAVELLED = {"from": ("departing from",), "to": ("arriving at",)}
"""What is said, too, where something travels between stops."""
