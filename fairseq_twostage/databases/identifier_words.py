"""What names of tables and columns have at their start and end, in short, and for keys."""

from __future__ import annotations

from fairseq_twostage.text.function_words import word_set

PREFIXES = ("tbl", "tab", "dim", "fact", "vw", "view", "ref", "lkp", "lookup", "stg")
SUFFIXES = ("table", "tbl", "info", "data", "list", "schedule", "scheduled")
SHORT = {
    "acct": "account", "acq": "acquisition", "addl": "additional", "addr": "address",
    "amt": "amount", "appt": "appointment", "appts": "appointments", "avail": "available",
    "avg": "average", "bal": "balance", "bg": "background", "bldg": "building", "cd": "code",
    "cfg": "configuration", "cntry": "country", "comm": "commission", "cond": "condition",
    "consult": "consultation", "ctr": "center", "ctry": "country", "cur": "current",
    "curr": "current", "cust": "customer", "dept": "department", "desc": "description",
    "descr": "description", "dest": "destination", "diam": "diameter", "dist": "distance",
    "dmg": "damage", "dob": "birth date", "dt": "date", "dur": "duration", "dx": "diagnosis",
    "elev": "elevation", "emp": "employee", "enrol": "enrolment", "eqpt": "equipment",
    "dia": "diameter", "equip": "equipment", "est": "estimated", "evt": "event",
    "firstname": "first name", "fname": "first name",
    "freq": "frequency", "gndr": "gender", "grp": "group", "hrs": "hours", "insp": "inspection",
    "kcal": "calories", "lang": "language", "langs": "languages", "lic": "licence",
    "lastname": "last name", "lname": "last name", "loc": "location", "lvl": "level",
    "mech": "mechanic",
    "mfr": "manufacturer", "mgmt": "management", "mgr": "manager", "msrp": "retail price",
    "mth": "month", "nm": "name", "odo": "mileage", "odometer": "mileage", "org": "organization",
    "orig": "origin", "pax": "people", "pkg": "package", "pmt": "payment", "pos": "position",
    "prem": "premium", "prev": "previous", "prio": "priority", "prj": "project", "prod": "product",
    "proj": "project", "prop": "property", "purch": "purchase", "qtr": "quarter", "qty": "quantity",
    "rcvd": "received", "reserv": "reservation", "resv": "reservation", "ret": "return",
    "rrp": "retail price", "rx": "prescription", "sal": "salary", "satisf": "satisfaction",
    "sched": "scheduled", "sess": "session", "sev": "severity", "src": "source", "stn": "station",
    "subj": "subject", "svc": "service", "sw": "software", "tel": "phone", "temp": "temperature",
    "tm": "time", "tot": "total", "trx": "transaction", "txn": "transaction", "txt": "text",
    "usr": "user", "val": "value", "veh": "vehicle", "vend": "vendor", "vol": "volume",
    "whse": "warehouse", "wk": "week", "wt": "weight", "yr": "year",
}  # fmt: skip
"""What is written short in names of tables and columns."""
CODED = ("diagnosis", "procedure")
"""What has a table of codes, and is meant by them."""
SHORT_ALONE = {"cap": "capacity"}
"""Short only where it is the whole name: of a market cap, no capacity."""
SHORT_BEFORE = {
    "disc": ("discount", ("pct", "percent", "perc", "rate", "amt", "amount", "code", "price")),
    "exp": ("expiry", ("date", "dt", "on")),
    "f": ("first", ("name",)),
    "l": ("last", ("name",)),
    "pub": ("publication", ("year", "date", "yr", "dt", "place")),
    "ref": ("referring", ("phys", "physician", "doctor", "dr", "provider")),
    "reg": ("registration", ("no", "nr", "num", "nbr", "number", "date", "dt", "plate", "fee")),
}
"""Short only where one of these comes next: of a disc, no discount."""
BOTH_ENDS = {"dep": "departure", "arr": "arrival"}
OF_ENDS = ("time", "date", "delay", "airport", "station", "city", "gate", "terminal", "port")
"""Before these words ``dep`` and ``arr`` are short for both ends of a way."""
NUMBERS = ("no", "nr", "num", "nbr")
"""At the end of a name they are short for a number."""
PERIODS = {"pm": "monthly", "pcm": "monthly", "pa": "annual", "pw": "weekly"}
"""What sums of money are for, at the end of a name: rent pm."""
REGULAR = word_set("hourly daily weekly monthly annual yearly")
COUNTING = ("num", "number", "no", "nr", "nbr", "cnt", "count")
TALLIED = word_set("citation comment download follower like page reference view visitor vote")
"""Of these a number behind says how many there are: ``citation_num``."""
IDENTIFYING = ("id", "key", "code", "no", "nr", "num", "number", "uuid", "guid")
SAID_KEYS = ("code", "number", "no", "nr", "num")  # keys that people ask for, if they are texts
NAMING = ("name", "title", "label", "caption")
OWN_NAMES = ("name", "full_name", "display_name", "title")  # of a row, not of what belongs to it
GIVEN = word_set("first given fore personal christian forename firstname fname givenname")
FAMILY = word_set("last family sur second surname lastname lname familyname")
BOOKKEEPING = (
    "last update", "last updated", "last modified", "last changed", "updated", "updated at",
    "updated on", "modified", "modified at", "modified on", "modified date", "changed at",
    "changed on", "update date", "update time", "row updated", "inserted at", "imported at",
    "synced at", "loaded at", "load date", "load time", "deleted at",
)  # fmt: skip
"""When the row of a table was written, of which nobody asks."""
