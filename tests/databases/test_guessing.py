"""What ``twostage init --database`` makes of a database."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sqlalchemy")
from fairseq_twostage.databases.connecting import open_database
from fairseq_twostage.databases.guessed import Guessed
from fairseq_twostage.databases.guessing import guess
from fairseq_twostage.databases.opening import open_schema
from fairseq_twostage.databases.reflection import Reflected
from fairseq_twostage.databases.schema_file import read_schema
from fairseq_twostage.databases.schema_text import schema_text
from fairseq_twostage.semantics import Answer, execute


def guessed(folder: Path, script: str) -> Guessed:
    with sqlite3.connect(folder / "made.db") as connection:
        connection.executescript(script)
    return guess(Reflected(open_database("made.db", folder)))


@pytest.fixture
def declared(tmp_path: Path) -> Guessed:
    return guessed(
        tmp_path,
        """
        create table CUSTOMERS (ID integer primary key, CUSTOMER_NAME text, ZIP text);
        create table PRODUCTS (ID integer primary key, TITLE text, WEIGHT_KG real, PRICE text,
                               IS_ACTIVE integer, KIND text, PICTURE blob);
        create table ORDERS (ID integer primary key, CUSTOMER_ID integer references CUSTOMERS(ID),
                             SHIPPED_BY integer references CUSTOMERS(ID), ORDER_DATE date,
                             MODEL_YEAR integer);
        create table ORDER_PRODUCTS (ORDER_ID integer references ORDERS(ID),
                                     PRODUCT_ID integer references PRODUCTS(ID),
                                     primary key (ORDER_ID, PRODUCT_ID));
        create table EMPTY_ONES (A text);
        insert into CUSTOMERS values (1, 'ann', '01234'), (2, 'bob', '99999');
        insert into PRODUCTS values (1, 'lamp', 1.5, '20.5', 1, 'light', x'00'),
                                    (2, 'desk', 30, '150', 0, 'furniture', x'01');
        insert into ORDERS values (1, 1, 2, '2024-01-02', 2020), (2, 2, 2, '2024-02-03', 2021);
        insert into ORDER_PRODUCTS values (1, 1), (1, 2), (2, 2);
        """,
    )


def test_tables_are_called_as_people_call_them(declared: Guessed) -> None:
    assert list(declared.tables) == ["customer", "order", "product"]
    assert declared.tables["customer"]["name"] == "name"
    assert declared.tables["customer"]["dimensions"]["name"]["column"] == "CUSTOMER_NAME"
    assert declared.tables["product"]["plural"] == "products"
    assert any(line.startswith("EMPTY_ONES") for line in declared.left_out)
    assert any(line.startswith("PRODUCTS.PICTURE") for line in declared.left_out)


@pytest.mark.parametrize(
    ("table", "group", "name", "wanted"),
    [
        ("product", "measures", "weight", {"unit": "kilogram", "most": "heaviest"}),
        ("product", "measures", "price", {"stored_as": "number", "most": "most expensive"}),
        ("product", "dimensions", "is_active", {"stored_as": "boolean"}),
        ("customer", "dimensions", "zip", {}),  # 01234 is no number
        ("order", "time_dimensions", "date", {}),
        ("order", "time_dimensions", "model_year", {"stored_as": "year"}),
    ],
)
def test_columns_are_what_their_values_are(
    declared: Guessed, table: str, group: str, name: str, wanted: dict[str, Any]
) -> None:
    found = declared.tables[table][group][name]
    assert {key: found[key] for key in wanted} == wanted


def test_declared_references_are_relationships_and_link_tables_are_none_of_the_tables(
    declared: Guessed,
) -> None:
    assert declared.relationships == {
        "order_customer": {
            "from": "order",
            "to": "customer",
            "columns": {"CUSTOMER_ID": "ID"},
            "phrase": "of",
        },
        "order_shipped_by": {
            "from": "order",
            "to": "customer",
            "columns": {"SHIPPED_BY": "ID"},
            "phrase": "shipped by",
            "inverses": ["ship"],
        },
        "order_product": {
            "from": "order",
            "to": "product",
            "through": "ORDER_PRODUCTS",
            "from_columns": {"ORDER_ID": "ID"},
            "to_columns": {"PRODUCT_ID": "ID"},
            "phrase": "with",
            "inverse": "with",
        },
    }


def test_without_keys_names_and_values_tell(tmp_path: Path) -> None:
    found = guessed(
        tmp_path,
        """
        create table region (region_name text, area real);
        create table more (region_name text, top text);
        create table town (town_name text, region_name text, people integer);
        create table path (path_name text, length integer, crosses text);
        create table near (region_name text, other text);
        insert into region values ('north', 5), ('south', 7), ('east', 9), ('west', 2);
        insert into more select region_name, 'hill of ' || region_name from region;
        insert into town values ('ash', 'north', 10), ('ash', 'south', 20), ('oak', 'north', 30);
        insert into path values ('long', 9, 'north'), ('long', 9, 'south'), ('long', 9, 'east'),
                                ('short', 2, 'north'), ('short', 2, 'west');
        insert into near values ('north', 'south'), ('south', 'north'), ('east', 'west'),
                                ('west', 'east'), ('north', 'east');
        """,
    )
    assert {name: table["key"] for name, table in found.tables.items()} == {
        "region": "region_name",
        "town": ["town_name", "region_name"],
        "path": "path_name",
    }
    assert found.tables["path"]["repeated"] is True
    top = found.tables["region"]["dimensions"]["top"]
    assert top["through"] == "more" and top["from_columns"] == {"region_name": "region_name"}
    crosses = found.relationships["path_crosses"]
    assert crosses["through"] == "path" and crosses["to_columns"] == {"crosses": "region_name"}
    assert found.relationships["near"]["to_columns"] == {"other": "region_name"}
    assert all(each["guessed"] for each in found.relationships.values())


def test_what_is_written_is_read_whatever_the_names(tmp_path: Path) -> None:
    found = guessed(
        tmp_path,
        """
        create table "my things" (id integer primary key, "na:me, {x}" text, "select" integer,
                                  "größe #1" real, "1st" text, "yes" text, "🙂" text);
        insert into "my things" values (1, 'a', 3, 1.5, 'x', 'q', 'u'),
                                       (2, 'b', 4, 2.5, 'y', 'r', 'v');
        """,
    )
    (tmp_path / "schema.yaml").write_text(schema_text("made.db", found), encoding="utf-8")
    schema = read_schema(tmp_path / "schema.yaml")
    columns = schema.tables["my_thing"].columns
    assert {part.column or name for name, part in columns.items()} == {
        "id", "na:me, {x}", "select", "größe #1", "1st", "yes", "🙂"
    }  # fmt: skip


def test_codes_are_asked_for_and_a_column_called_as_the_key_it_holds_says_no_relation(tmp_path):
    found = guessed(
        tmp_path,
        """
        CREATE TABLE country (Code TEXT PRIMARY KEY, Name TEXT);
        CREATE TABLE zone (zone TEXT PRIMARY KEY, Code TEXT REFERENCES country);
        CREATE TABLE device (uuid TEXT PRIMARY KEY, name TEXT);
        INSERT INTO country VALUES ('IN', 'India'), ('BR', 'Brazil');
        INSERT INTO zone VALUES ('Asia/Kolkata', 'IN'), ('America/Bahia', 'BR');
        INSERT INTO device VALUES ('a-1', 'lamp'), ('a-2', 'bell');
        """,
    )
    country = found.tables["country"]
    assert (country["name"], country["dimensions"]["code"]) == ("name", {"column": "Code"})
    assert found.relationships["zone_country"]["phrase"] == "in"
    assert list(found.tables["device"]["dimensions"]) == ["name"]


def test_persons_dates_and_agents_are_said_as_people_say_them(tmp_path):
    found = guessed(
        tmp_path,
        """
        CREATE TABLE tbl_dept (dept_id INTEGER PRIMARY KEY, dept_nm TEXT,
                               mgr_emp_id INTEGER REFERENCES tbl_emp);
        CREATE TABLE tbl_emp (emp_id INTEGER PRIMARY KEY, lname TEXT, fname TEXT, birth_dt DATE,
                              height_cm INTEGER, dept_id INTEGER REFERENCES tbl_dept);
        CREATE TABLE teams (id INTEGER PRIMARY KEY, name TEXT, coach TEXT, founded INTEGER);
        CREATE TABLE transfers (id INTEGER PRIMARY KEY, from_team_id INTEGER REFERENCES teams,
                                to_team_id INTEGER REFERENCES teams, transfer_date DATE);
        INSERT INTO tbl_emp VALUES (1, 'Stone', 'Ann', '1980-02-03', 170, 1);
        INSERT INTO tbl_dept VALUES (1, 'Care', 1);
        INSERT INTO teams VALUES (1, 'Reds', 'Lee', 1890), (2, 'Blues', 'Moss', 1901);
        INSERT INTO transfers VALUES (1, 1, 2, '2020-05-06');
        """,
    )
    employee, team = found.tables["employee"], found.tables["team"]
    assert employee["dimensions"]["name"] == {"columns": ["fname", "lname"]}
    assert employee["measures"]["height"]["most"] == "tallest"
    assert employee["time_dimensions"]["birth_date"]["wording"] == "born"
    assert employee["time_dimensions"]["birth_date"]["most"] == "youngest"
    assert team["time_dimensions"]["founded"] == {"stored_as": "year", "wording": "founded"}
    assert team["dimensions"]["coach"]["asked"] == "who coaches"
    said = {name: entry["phrase"] for name, entry in found.relationships.items()}
    assert said == {
        "department_manager": "with manager",
        "employee_department": "in",
        "transfer_from_team": "from",
        "transfer_to_team": "to",
    }
    assert found.relationships["department_manager"]["inverses"] == ["manage", "boss of"]
    assert found.relationships["employee_department"]["synonyms"] == ["work in"]


@pytest.mark.parametrize(
    ("values", "group"),
    [
        (("E1007", "E1014"), "dimensions"),  # a letter and digits, and no power of ten
        (("-1e3", ".5"), "measures"),
        (("1e999", "2e999"), "dimensions"),  # no double
    ],
)
def test_texts_that_are_all_numbers(tmp_path: Path, values: tuple[str, str], group: str) -> None:
    script = "CREATE TABLE seat (id INTEGER PRIMARY KEY, width TEXT);"
    script += "".join(f"INSERT INTO seat (width) VALUES ('{value}');" for value in values)
    assert "width" in guessed(tmp_path, script).tables["seat"][group]


def test_words_of_a_gym_and_who_books_its_classes(tmp_path: Path) -> None:
    found = guessed(
        tmp_path,
        """
        CREATE TABLE studios (id INTEGER PRIMARY KEY, name TEXT, mgr_id INTEGER REFERENCES staff,
          sqm INTEGER, opens_at TEXT);
        CREATE TABLE staff (id INTEGER PRIMARY KEY, name TEXT, hired TEXT,
          home_studio INTEGER REFERENCES studios (id));
        CREATE TABLE members (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE class_sched (sched_id INTEGER PRIMARY KEY, sess_date TEXT, cap INTEGER,
          trainer_id INTEGER REFERENCES staff, studio_id INTEGER REFERENCES studios);
        CREATE TABLE class_types (class_id INTEGER PRIMARY KEY, title TEXT);
        CREATE TABLE tags (id INTEGER PRIMARY KEY, class_id INTEGER REFERENCES class_types);
        CREATE TABLE bookings (id INTEGER PRIMARY KEY, booked_at TEXT,
          sched_id INTEGER REFERENCES class_sched,
          member_id INTEGER REFERENCES members);
        CREATE TABLE shipments (id INTEGER PRIMARY KEY, booked_on TEXT, weight REAL,
          member_id INTEGER REFERENCES members, checked_by INTEGER REFERENCES staff);
        CREATE TABLE payments (id INTEGER PRIMARY KEY, pay_date TEXT, amt REAL);
        INSERT INTO studios VALUES (1, 'Bay', 1, 300, '07:00'), (2, 'Mill', 2, 400, '06:30');
        INSERT INTO staff VALUES (1, 'Ann', '2020-01-02', 1), (2, 'Bo', '2021-01-02', 2);
        INSERT INTO members VALUES (1, 'Cy'), (2, 'Dee');
        INSERT INTO class_sched VALUES (1, '2026-01-02', 9, 1, 1), (2, '2026-01-03', 12, 2, 2);
        INSERT INTO class_types VALUES (1, 'Yoga'), (2, 'Spin');
        INSERT INTO tags VALUES (1, 1), (2, 2);
        INSERT INTO shipments VALUES (1, '2026-01-01', 2.5, 1, 1), (2, '2026-01-02', 3.5, 2, 2);
        INSERT INTO bookings VALUES (1, '2026-01-01', 1, 1), (2, '2026-01-02', 2, 2);
        INSERT INTO payments VALUES (1, '2026-01-01', 2.5), (2, '2026-01-05', 3.5);
        """,
    )
    assert found.tables["staff"]["time_dimensions"]["hired"]["wording"] == "hired"
    assert found.tables["payment"]["time_dimensions"]["pay_date"]["wording"] == "paid"
    assert found.tables["studio"]["measures"]["area"]["unit"] == "square_meter"
    scheduled = found.tables["class"]
    assert "session_date" in scheduled["time_dimensions"] and "capacity" in scheduled["measures"]
    assert found.relationships["shipment_member"]["inverses"] == ["book"]
    assert found.relationships["class_trainer"]["inverses"] == ["train", "teach"]
    assert "inverses" not in found.relationships["booking_member"]  # nobody books bookings
    assert found.relationships["shipment_checked_by"]["inverses"] == ["check"]
    assert found.relationships["booking_class"]["phrase"] == "in"
    assert found.relationships["class_studio"]["phrase"] == "in"
    assert not any(entry["from"] == "class_type" for entry in found.relationships.values())
    paths = [entry for entry in found.relationships.values() if "path" in entry]
    assert not any(entry["from"] == entry["to"] for entry in paths)


def test_a_reference_in_short_is_no_role(tmp_path: Path) -> None:
    found = guessed(
        tmp_path,
        """
        CREATE TABLE appointments (appt_id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE bills (id INTEGER PRIMARY KEY, name TEXT,
          appt_id INTEGER REFERENCES appointments, first_appt INTEGER REFERENCES appointments);
        INSERT INTO appointments VALUES (1, 'Ann'), (2, 'Bo');
        INSERT INTO bills VALUES (1, 'A', 1, 1), (2, 'B', 2, 1);
        """,
    )
    said = {entry["phrase"] for entry in found.relationships.values()}
    assert said == {"of", "with first appointment"}


def test_a_thing_is_called_by_the_sort_that_another_table_gives_it(tmp_path: Path) -> None:
    found = guessed(
        tmp_path,
        """
        CREATE TABLE breeds (breed_id INTEGER PRIMARY KEY, name TEXT, species TEXT, status TEXT);
        CREATE TABLE pets (pet_id INTEGER PRIMARY KEY, name TEXT, race INTEGER,
          FOREIGN KEY (race) REFERENCES breeds (breed_id));
        CREATE TABLE crosses (id INTEGER PRIMARY KEY, one INTEGER REFERENCES breeds,
          two INTEGER REFERENCES breeds, note TEXT);
        INSERT INTO breeds VALUES (1, 'Lop', 'Rabbit', 'rare'), (2, 'Collie', 'Dog', 'common');
        INSERT INTO pets VALUES (1, 'Rex', 2), (2, 'Bo', 1), (3, 'Max', 2);
        INSERT INTO crosses VALUES (1, 1, 2, 'odd'), (2, 2, 2, 'none');
        """,
    )
    breed, pet = found.tables["breed"]["dimensions"], found.tables["pet"]["dimensions"]
    assert pet["species"] == {
        "wording": "adjective",
        "type": "species",
        "column": "species",
        "through": "breeds",
        "from_columns": {"breed_id": "race"},
        "guessed": True,
    }
    assert breed["species"] == {"type": "species"}
    assert breed["status"]["wording"] == "adjective" and "status" not in pet
    assert "species" not in found.tables["cross"].get("dimensions", {})  # of one breed or the other


def test_a_line_of_an_order_says_what_people_spent_and_bought(tmp_path):
    found = guessed(
        tmp_path,
        """
        CREATE TABLE Customer (Id INTEGER PRIMARY KEY, Name TEXT);
        CREATE TABLE Artist (Id INTEGER PRIMARY KEY, Name TEXT);
        CREATE TABLE Album (Id INTEGER PRIMARY KEY, Title TEXT, ArtistId INTEGER REFERENCES Artist);
        CREATE TABLE Track (Id INTEGER PRIMARY KEY, Title TEXT, AlbumId INTEGER REFERENCES Album);
        CREATE TABLE Invoice (Id INTEGER PRIMARY KEY, CustomerId INTEGER REFERENCES Customer);
        CREATE TABLE InvoiceLine (Id INTEGER PRIMARY KEY, InvoiceId INTEGER REFERENCES Invoice,
          TrackId INTEGER REFERENCES Track, UnitPrice NUMERIC, Quantity INTEGER);
        INSERT INTO Customer VALUES (1, 'Ann'), (2, 'Bo');
        INSERT INTO Artist VALUES (1, 'X'), (2, 'Y');
        INSERT INTO Album VALUES (1, 'A', 1), (2, 'B', 2);
        INSERT INTO Track VALUES (1, 'T', 1), (2, 'U', 2);
        INSERT INTO Invoice VALUES (1, 1), (2, 2);
        INSERT INTO InvoiceLine VALUES (1, 1, 1, 0.5, 2), (2, 2, 2, 0.7, 3);
        """,
    )
    line = found.tables["invoice_line"]["measures"]["amount"]
    assert line == {"expression": "Quantity * UnitPrice", "guessed": True}
    assert found.tables["customer"]["measures"]["spent"]["sum_of"] == "invoice_line.amount"
    assert found.tables["track"]["measures"]["sold"]["sum_of"] == "invoice_line.quantity"
    paths = {name: entry["path"] for name, entry in found.relationships.items() if "path" in entry}
    assert paths == {
        "track_artist": ["track_album", "album_artist"],
        "customer_track": ["!invoice_customer", "!invoice_line_invoice", "invoice_line_track"],
        "invoice_line_customer": ["invoice_line_invoice", "invoice_customer"],
        "invoice_line_album": ["invoice_line_track", "track_album"],
        "invoice_line_artist": ["invoice_line_track", "track_album", "album_artist"],
    }


def test_what_belongs_to_something_belongs_to_what_that_belongs_to(tmp_path):
    found = guessed(
        tmp_path,
        """
        CREATE TABLE regions (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE hotels (id INTEGER PRIMARY KEY, name TEXT,
          region_id INTEGER REFERENCES regions);
        CREATE TABLE room_types (rt_id INTEGER PRIMARY KEY, descr TEXT);
        CREATE TABLE rooms (id INTEGER PRIMARY KEY, hotel_id INTEGER REFERENCES hotels,
          rt_id INTEGER REFERENCES room_types);
        CREATE TABLE guests (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE staff (id INTEGER PRIMARY KEY, name TEXT, left_on TEXT);
        CREATE TABLE bookings (id INTEGER PRIMARY KEY, room_id INTEGER REFERENCES rooms,
          guest_id INTEGER REFERENCES guests, check_in TEXT, receipt_no TEXT);
        CREATE TABLE reviews (id INTEGER PRIMARY KEY, booking_id INTEGER REFERENCES bookings,
          checked_by INTEGER REFERENCES staff, score INTEGER);
        INSERT INTO regions VALUES (1, 'North'), (2, 'South');
        INSERT INTO hotels VALUES (1, 'Alba', 1), (2, 'Brisa', 2);
        INSERT INTO room_types VALUES (1, 'Single'), (2, 'Double');
        INSERT INTO rooms VALUES (1, 1, 1), (2, 2, 2), (3, 2, 1);
        INSERT INTO guests VALUES (1, 'Ann'), (2, 'Bo');
        INSERT INTO staff VALUES (1, 'Cy', NULL), (2, 'Di', '2024-05-06');
        INSERT INTO bookings VALUES (1, 1, 1, '2024-01-02', 'R-1'), (2, 2, 2, '2024-02-03', NULL),
          (3, 3, 2, '2024-02-07', 'R-3');
        INSERT INTO reviews VALUES (1, 1, 1, 3), (2, 2, 1, 5), (3, 3, 2, 4);
        """,
    )
    ways = {name: entry["path"] for name, entry in found.relationships.items() if "path" in entry}
    rooms = ["booking_room", "room_hotel"]
    assert ways["booking_hotel"] == rooms
    assert ways["review_hotel"] == ["review_booking", *rooms]
    assert ways["review_guest"] == ["review_booking", "booking_guest"]
    assert "review_room_type" not in ways  # too far for what owns nothing
    assert "staff_booking" not in ways  # who checked a review has nothing to do with the booking
    assert found.relationships["room_room_type"]["phrase"] == "of"  # rt_id is its key
    assert found.tables["staff"]["synonyms"] == ["employee", "staff member", "worker", "colleague"]
    assert found.tables["booking"].get("name") is None  # a receipt is missing
    assert found.tables["booking"]["time_dimensions"]["check_in"]["wording"] == "that arrive"


def test_a_file_of_pairs_links_two_tables_though_each_row_of_one_has_one_of_the_other(tmp_path):
    files = {
        "film": "film_id,title\n1,Alien\n2,Brazil\n3,Cube\n",
        "category": "category_id,name\n1,Drama\n2,Horror\n",
        "film_category": "film_id,category_id\n1,2\n2,1\n3,2\n",
    }
    folder = tmp_path / "files"
    folder.mkdir()
    for name, text in files.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    found = guess(Reflected(open_database("files", tmp_path)))
    assert set(found.tables) >= {"film", "category"} and not found.left_out
    link = found.relationships["film_category"]
    assert (link["from"], link["to"], link["phrase"]) == ("film", "category", "in")


@pytest.mark.parametrize(
    ("values", "wanted"),
    [
        (
            "F M",
            {
                "F": ["female", "woman", "women", "girl", "girls"],
                "M": ["male", "man", "men", "boy", "boys"],
            },
        ),
        (
            "male female",
            {"male": ["man", "men", "boy", "boys"], "female": ["woman", "women", "girl", "girls"]},
        ),
        (
            "f m x",
            {
                "f": ["female", "woman", "women", "girl", "girls"],
                "m": ["male", "man", "men", "boy", "boys"],
            },
        ),
        ("f m k", {}),  # k is something else, so f may be, too
    ],
)
def test_letters_of_a_sex_have_words(tmp_path: Path, values: str, wanted: dict[str, Any]) -> None:
    rows = ", ".join(f"({n}, 'n{n}', '{value}')" for n, value in enumerate(values.split()))
    made = guessed(
        tmp_path,
        "create table nurses (id integer primary key, name text, gender text);"
        f"insert into nurses values {rows};",
    )
    assert made.tables["nurse"]["dimensions"]["gender"].get("said", {}) == wanted


def test_a_table_that_links_two_others_makes_one_relationship(tmp_path: Path) -> None:
    found = guessed(
        tmp_path,
        """
        create table course (course_id integer primary key, name text, start_date integer);
        create table student (student_id integer primary key, name text, start_date text,
                              end_date text);
        create table grade (course_id integer references course, student_id integer
                            references student, mark real, primary key (course_id, student_id));
        insert into course values (1, 'Art', 1999), (2, 'Law', 2001);
        insert into student values (1, 'Ann', '2020-01-01', '2020-01-31'),
                                   (2, 'Bo', '2021-01-01', '2021-03-01');
        insert into grade values (1, 1, 2.5), (2, 1, 1), (2, 2, 3);
        """,
    )
    both = [
        entry
        for entry in found.relationships.values()
        if {entry["from"], entry["to"]} == {"course", "student"}
    ]
    assert len(both) == 1 and "through" in both[0]


def test_a_link_that_says_what_of_each_is_no_mere_link(tmp_path: Path) -> None:
    """What instrument somebody plays in a song is a part of the key; where one stands is said of
    nothing else."""
    made = guessed(
        tmp_path,
        """
        create table song (sid integer primary key, title text);
        create table player (pid integer primary key, name text);
        create table instruments (sid integer references song(sid),
                                  pid integer references player(pid), instrument text,
                                  primary key (sid, pid, instrument));
        create table performance (sid integer references song(sid),
                                  pid integer references player(pid), stage_position text,
                                  primary key (sid, pid));
        insert into song values (1, 'Alpha'), (2, 'Beta');
        insert into player values (1, 'Ann'), (2, 'Ben');
        insert into instruments values (1, 1, 'drums'), (1, 1, 'guitar'), (2, 2, 'drums');
        insert into performance values (1, 1, 'left'), (2, 2, 'right'), (2, 1, 'left');
        """,
    )
    assert "instrument" in made.tables["instrument"]["dimensions"]
    assert "aside" not in made.tables["performance"]


def test_a_postal_code_is_said_though_it_is_a_number(tmp_path: Path) -> None:
    made = guessed(
        tmp_path,
        """
        create table trip (id integer primary key, zip_code integer, bike_code integer, long real);
        create table weather (zip_code integer, day text, wind real);
        insert into trip values (1, 94107, 12, -122.4), (2, 94002, 13, -121.8);
        insert into weather values (94107, '2015-05-01', 1), (94107, '2015-05-02', 2),
                                   (94002, '2015-05-01', 3);
        """,
    )
    for table in ("trip", "weather"):
        assert "aside" not in made.tables[table]["dimensions"]["zip_code"]
    assert "bike_code" not in made.tables["trip"].get("measures", {})
    assert made.tables["trip"]["measures"]["long"]["aside"]


def test_a_link_has_its_own_noun_and_a_numeric_key_is_found(tmp_path: Path) -> None:
    """Employees have *certificates for* aircraft; NUMBER(9, 0) is no whole number to SQLAlchemy."""
    made = guessed(
        tmp_path,
        """
        create table aircraft (aid number(9,0) primary key, name varchar2(30));
        create table employee (eid number(9,0) primary key, name varchar2(30));
        create table certificate (eid number(9,0) references employee(eid),
                                  aid number(9,0) references aircraft(aid), primary key (eid, aid));
        insert into aircraft values (1, 'Airbus'), (2, 'Boeing');
        insert into employee values (7, 'Ann'), (8, 'Ben');
        insert into certificate values (7, 1), (8, 1), (8, 2);
        """,
    )
    assert made.relationships["certificate"]["synonyms"] == ["with certificates for"]
    (tmp_path / "schema.yaml").write_text(
        "database: made.db\ntables: {aircraft: {key: aid, name: name, dimensions: {name: {}}}}\n",
        encoding="utf-8",
    )
    form = "( call SW.listValue ( call SW.getProperty en.aircraft.2 ( string name ) ) )"
    found = execute(form, open_schema(tmp_path / "schema.yaml"))
    assert isinstance(found, Answer) and found.text == "(list (name en.aircraft.name.Boeing))"
