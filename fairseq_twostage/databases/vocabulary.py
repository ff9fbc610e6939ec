"""The vocabulary by which names of tables and columns are taken for what they mean."""

from __future__ import annotations

from fairseq_twostage.text.function_words import word_set

# Tables and columns: what their names have at the start and end, in short, and for keys.
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

# Things and persons, by the last word of what one is called.
_CLIENTS_AND_STAFF = word_set(
    "actor actress agent artist author broker buyer citizen client coach composer customer "
    "director doctor driver employee guest instructor landlord manager mechanic member owner "
    "applicant farmer listener reader resident subscriber trainer viewer voter "
    "analyst consultant developer engineer passenger patient person player politician president "
    "professor scientist seller singer staff student teacher technician tenant user visitor worker "
    "writer"
)
PERSONS = _CLIENTS_AND_STAFF | word_set(
    "adviser advisor apprentice architect athlete attendee attorney barrister beneficiary borrower "
    "candidate captain carpenter caretaker carer cashier chef child cleaner clerk coachee "
    "competitor contestant cook counsellor courier curator cyclist dancer delegate dentist "
    "designer diver donor editor electrician fisherman gardener guardian guide holder inspector "
    "intern interpreter investor janitor jockey journalist judge landowner lawyer learner lecturer "
    "librarian lodger musician nominee nurse officer operator painter parent participant patron "
    "performer pharmacist photographer physician pilot planner plumber policyholder postman pupil "
    "recipient referee referrer reporter researcher reviewer rider runner sailor salesperson "
    "scholar shareholder skipper solicitor speaker surgeon surveyor swimmer therapist trainee "
    "translator traveller tutor umpire vet veterinarian volunteer waiter winner witness"
)
STAFF = word_set(
    "agent analyst consultant developer employee engineer staff technician worker nurse doctor "
    "manager member teacher"
)
BUYERS = _CLIENTS_AND_STAFF - word_set(
    "agent analyst broker consultant developer doctor driver employee engineer landlord manager "
    "mechanic seller staff teacher technician worker"
)
PERFORMERS = word_set("actor actress player singer musician dancer")
MAKERS = word_set(
    "architect artist author band brand composer designer developer director inventor maker "
    "manufacturer painter photographer producer publisher singer studio writer"
)
"""Things are by these."""
BRANDS = word_set("brand make manufacturer")
"""Said before the name of a thing."""
CONTAINERS = word_set(
    "area branch building category cinema city class continent country county department "
    "depot district division folder genre group hall league museum neighborhood neighbourhood "
    "office park place playlist port province region room school section state station store "
    "street team town university village season tournament competition stadium venue arena site "
    "hospital clinic airport club warehouse world zone "
    "box cabinet container cupboard drawer folder freezer fridge rack shelf "
)
HOSTS = word_set(
    "bar campus farm garage gym hotel pharmacy plant restaurant salon theatre workshop"
)
"""Places that own what is in them."""
DEALS = {
    **dict.fromkeys(
        ("order", "bill", "invoice", "purchase", "sale", "transaction", "receipt"), "buy"
    ),
    "booking": "book", "hire": "hire", "loan": "borrow", "rental": "rent",
    "reservation": "reserve",
}  # fmt: skip
"""What people do in these."""
WORKPLACES = word_set("bar cafe café hotel restaurant salon shop")
"""Beside containers; what is of one is not in it: reviews of restaurants."""
SUPERIORS = word_set("manager supervisor boss superior")  # of a staff
REPRESENTATIVES = word_set("adviser advisor agent broker contact executive handler rep "
                           "representative")  # fmt: skip
"""Of the staff, who looks after a customer."""
WORK = ("project", "task", "case", "ticket", "assignment")  # of a staff

SOLD = word_set("bill invoice order receipt sale")
TURNOVER = ("turnover", "revenue", "sales", "amount", "value")
"""What their sums are."""
TOGETHER = {
    "allergy": "are allergic to", "interest": "are interested in",
    "appearance": "appear in", "application": "apply for", "appointment": "with",
    "assignment": "assigned to", "attendance": "attend", "cast": "act in",
    "enrollment": "enrolled in", "enrolment": "enrolled in", "membership": "belong to",
    "participation": "take part in", "performance": "perform in", "rating": "rate",
    "registration": "registered for", "review": "review", "subscription": "subscribe to",
    "treatment": "treated by", "visit": "visit", "audition": "audition for",
}  # fmt: skip
"""How is said what a row of these brings together: an employee assigned to a project."""
BIDS = word_set(
    "accident application audition bid claim complaint damage enquiry incident inquiry interview "
    "nomination offer proposal quote request"
)
"""What somebody wanted, or what went wrong, brings together less than what was done."""
ACTED = {"act in": ("star in", "appear in", "play in", "featured in")}
"""Other words for it."""
WRITTEN = word_set("article comment letter message note post review tip tweet")
"""What somebody writes."""
PETS = word_set("animal bike boat cat car dog horse motorcycle pet vehicle yacht")
"""What persons own that are said to be with them."""

# Properties.
ADJECTIVAL = word_set(
    "brand breed category color colour condition cuisine flavor flavour format gender genre "
    "kind language level material nationality period priority race season sex size species status "
    "strain style type variety"
)
"""Of these the values stand before a noun: "drama films"."""
NOUNS = word_set(
    "breed category color colour for form genre job kind medium occupation position profession "
    "role species type"
)
"""Of these the values are nouns themselves, and have plurals: "flats", "thrillers"."""
ROLES = word_set("job occupation position profession role")
"""Of persons their values say what somebody is."""
PARTIES = word_set(
    "authority business charity church club college community company corporation family firm "
    "foundation government household individual institution ngo nonprofit organisation "
    "organization person school trust university"
)
"""Values of a type that are nouns for what has them: *companies*, of donors."""
OCCASIONS = word_set("entry event log meeting record session")
"""What is one of these is called by what it is one of: a class session is a class."""
SORTS = word_set("breed category class genre kind make model plan species type")
"""Tables of these say of what sort the things of another one are."""
DESCRIBING = ("able", "al", "ed", "ent", "free", "ful", "ible", "ic", "ing", "ive", "less", "ous")
"""Ends of words that say how something is, and not what it has: *active*, not *garden*."""
ORGANISED = word_set(
    "agency authority club college committee company country department division faculty firm "
    "institution ministry office organisation organization team unit university"
)
"""They are called by the first letters of their names."""
BOOKKEEPING = (
    "last update", "last updated", "last modified", "last changed", "updated", "updated at",
    "updated on", "modified", "modified at", "modified on", "modified date", "changed at",
    "changed on", "update date", "update time", "row updated", "inserted at", "imported at",
    "synced at", "loaded at", "load date", "load time", "deleted at",
)  # fmt: skip
"""When the row of a table was written, of which nobody asks."""
SECRET = word_set("hash passwd password pwd salt secret token")
"""Nobody is to be told these."""
PLAYED = word_set(
    "clip documentary episode film lecture movie podcast recording show song track video webinar"
)
"""Their lengths are times."""
SONGS = word_set("clip song track")
PLAYING_TIMES = word_set("duration length playtime runtime")
SECONDARY = word_set(
    "buy buying delivery deposit insurance maintenance purchase repair replacement shipping "
    "wholesale"
)
"""Prices and costs that are not what a thing is sold for."""
PHONES = word_set("phone telephone mobile cell fax")
"""They have numbers."""
PLACES = word_set(
    "area borough city continent country county district nation province region state suburb town"
)
"""Things are in these, and people from them."""
MARKS = word_set("grade grades mark marks points rating result score scores")
"""Of what somebody did."""
RATED = word_set("grade mark rating satisfaction score stars")
"""What people compare by its average."""
AT_ADDRESSES = word_set("apartment building flat home house listing lot parcel plot property site")
"""People say their addresses, where they have no names."""
FLAG_VERBS = word_set(
    "accepts allows contains covers includes lacks needs offers owns provides requires sells "
    "serves supports uses wants"
)
"""What columns of yes and no begin with: *includes camping*."""
FLAG_DONE = {
    "accepted": "accepts", "allowed": "allows", "included": "includes", "permitted": "permits",
    "provided": "provides", "required": "requires",
}  # fmt: skip
"""What others end with: *pets allowed*."""
NO_PLACES = word_set(
    "category class competition folder genre group league playlist season tournament"
)
"""Things are in these, and not there."""
IDIOMS = (
    "in the whole group", "in the whole company", "in the entire company", "on file", "on record",
    "on the clock", "at the moment", "right now", "so far", "in the database", "in our database",
    "in the system", "in our system", "in our records", "on our books", "on the books", "to date",
    "up to now", "as of today", "as of now", "of all time", "do we look after", "in the catalogue",
    "in our catalogue", "in the catalog", "in our catalog", "in the collection",
    "in our collection", "in the library", "in the archive", "do we carry",
    "in the list", "on the list", "on our list",
    "over the years", "all in all", "at some point", "at any point", "in the fleet",
    "do we use", "do we make", "do we keep", "do we hold", "do we represent", "do we employ",
    "do we stock", "do we offer", "do we run",
    "in our fleet", "of our fleet", "on the fleet list",
    "mr", "mrs", "ms",
)  # fmt: skip
"""What adds nothing to a question."""
UNSAID = word_set(
    "url email description comment comments notes note phone telephone mobile fax website image "
    "photo picture path hash token password address street text body"
)
"""Their values are asked for, and hardly ever said."""
WITHOUT_QUESTIONS = ("lat", "lon", "lng", "long", "latitude", "longitude")
TRUTHS = (
    ("y", "n"), ("yes", "no"), ("true", "false"), ("t", "f"), ("1", "0"), ("ja", "nein"),
    ("j", "n"), ("oui", "non"), ("si", "no"), ("sí", "no"), ("sì", "no"), ("sim", "não"),
    ("sim", "nao"), ("ja", "nee"), ("ja", "nej"), ("tak", "nie"),
)  # fmt: skip
"""Yes and no as texts have them."""
OPPOSITES = {
    "active": "inactive", "available": "unavailable", "full time": "part-time",
    "fulltime": "part-time", "indoor": "outdoor", "outdoor": "indoor", "paid": "unpaid",
    "dead": "alive", "deceased": "alive", "closed": "open", "discontinued": "still sold",
    "passed": "failed",
    "part time": "full-time", "parttime": "full-time", "public": "private", "private": "public",
}  # fmt: skip
"""How is said that something is not such."""
SHE = {
    "actor": "actress", "host": "hostess", "steward": "stewardess", "waiter": "waitress",
}  # fmt: skip
"""What women of these are called."""
SEXES = {
    ("f", "w", "female", "woman"): ["female", "woman", "women", "girl", "girls"],
    ("m", "male", "man"): ["male", "man", "men", "boy", "boys"],
    ("d", "x", "nb", "o", "u", "diverse", "other", "unknown"): [],
}
"""Values of a sex or gender, and words for them."""
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
PAID = "paid with"
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
SAID_OF_PARTIES = {
    ("company", "business", "corporate", "firm", "organisation", "organization", "b2b"):
        ["business", "corporate", "company"],
    ("private", "individual", "person", "personal", "consumer", "b2c"):
        ["private", "individual"],
}  # fmt: skip
"""Types of customers and the like, and words for them."""
VERBS = {
    "architect": "design", "artist": "make", "curator": "curate", "donor": "give",
    "host": "host", "illustrator": "illustrate", "inventor": "invent", "organiser": "organise",
    "organizer": "organize", "painter": "paint", "sponsor": "sponsor", "translator": "translate",
    "author": "write", "coach": "coach", "composer": "compose", "creator": "create",
    "designer": "design", "developer": "develop", "director": "direct", "driver": "drive",
    "editor": "edit",
    "founder": "found", "head": "head run", "instructor": "teach", "lead": "lead", "leader": "lead",
    "manager": "manage", "manufacturer": "make", "owner": "own", "producer": "produce",
    "publisher": "publish", "reporter": "report", "requester": "request", "approver": "approve",
    "reviewer": "review", "scorer": "score", "singer": "sing", "supervisor": "supervise",
    "supplier": "supply", "teacher": "teach", "trainer": "train teach", "winner": "win",
    "writer": "write",
}  # fmt: skip
"""What those do of whom something has one."""
RECORDS = word_set(
    "absence account address attendance bill certificate contract enrolment fee fine grade invoice "
    "leave licence license mark membership payment qualification registration salary subscription"
)
"""What people have, whatever they are called by: singers sing no fees."""

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
HOMES = word_set("base home station")
"""Who or what has such an airport or branch is based there."""
STOPS = ("airport", "station", "port", "stop", "terminal", "harbour", "harbor")
ON_THE_WAY = {*PLACES, *STOPS, "address", "branch", "depot", "location", "place", "site", "village"}
"""What a way may begin and end at."""
TRAVELLED = {"from": ("departing from",), "to": ("arriving at",)}
"""What is said, too, where something travels between stops."""
