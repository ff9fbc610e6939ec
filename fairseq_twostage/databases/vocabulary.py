"""Nouns, adjectives and verbs by which names of tables and columns are taken for what they mean."""

from __future__ import annotations

from fairseq_twostage.text.function_words import word_set

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
SERVED = word_set(
    "buyer client customer guest passenger patient subscriber user visitor applicant tenant viewer"
)
"""Who are served, and do not serve."""
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
PAID = "paid with"
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


HOMES = word_set("base home station")
"""Who or what has such an airport or branch is based there."""
STOPS = ("airport", "station", "port", "stop", "terminal", "harbour", "harbor")
ON_THE_WAY = {*PLACES, *STOPS, "address", "branch", "depot", "location", "place", "site", "village"}
"""What a way may begin and end at."""
