"""A service desk's database as ``init`` describes it: what is open, who left, since when, who
leads; names in the short forms of its vendor. Answers are counted by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")

from fairseq_twostage.domains.registry import load_domain
from fairseq_twostage.domains.schemas import schema_pairs
from tests.databases.test_questions import answer_of, described

SCRIPT = """
create table depts (dept_id integer primary key, dept_name text,
  head_phys_id integer references physicians (phys_id));
create table physicians (phys_id integer primary key, fname text, lname text,
  dept_id integer references depts (dept_id), hire_dt text, leave_dt text, on_call_flg integer);
create table tickets (id integer primary key, subject text, phys_id integer
  references physicians (phys_id), prio text, created_at text, closed_at text);
create table appt (appt_id integer primary key, phys_id integer references physicians (phys_id),
  booked_dt text, start_dt text, blood_grp text);
create table dx_code (dx_cd text primary key, dx_desc text);
create table appt_dx (appt_id integer references appt (appt_id),
  dx_cd text references dx_code (dx_cd), primary key (appt_id, dx_cd));
insert into depts values (1, 'Eye', 1), (2, 'Ear', 2);
insert into physicians values (1, 'Ann', 'Reed', 1, '2015-01-01', null, 1),
  (2, 'Bo', 'Stone', 2, '2016-01-01', '2023-05-01', 0), (3, 'Cy', 'Marsh', 1, '2017-01-01', null, 0);
insert into tickets values (1, 'Lamp is broken', 1, 'high', '2023-01-01', '2023-01-05'),
  (2, 'No paper', 1, 'low', '2023-02-01', null), (3, 'Door squeaks', 3, 'low', '2023-03-01', null),
  (4, 'Cold room', 3, 'high', '2023-03-02', '2023-04-01'), (5, 'No ink', 1, 'low', '2023-02-03', null);
insert into appt values (1, 1, '2022-12-20', '2023-01-10', 'A'), (2, 1, '2022-12-21', '2023-01-11', 'B'),
  (3, 3, '2022-01-01', '2022-02-01', 'A');
insert into dx_code values ('H10', 'Conjunctivitis'), ('H26', 'Cataract'), ('H60', 'Otitis'),
  ('H40', 'Glaucoma'), ('H91', 'Hearing loss'), ('H93', 'Tinnitus');
insert into appt_dx values (1, 'H10'), (2, 'H26'), (3, 'H10');
"""  # noqa: E501


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return described(tmp_path_factory.mktemp("desk"), SCRIPT)


@pytest.fixture(scope="module")
def asked(folder: Path) -> dict[str, str]:
    return dict(schema_pairs(load_domain(folder), folder))


@pytest.mark.parametrize(
    ("question", "names", "answer"),
    [
        ("how many tickets are open", {}, {"3"}),
        ("which tickets are opened in _date_", {"_date_": "(date 2023 3 -1)"}, {"3", "4"}),
        ("how many physicians have left", {}, {"1"}),
        ("which physicians are on call", {}, {"1"}),
        ("which appointments are from _date_", {"_date_": "(date 2022 -1 -1)"}, {"3"}),
        ("which physicians run _department_", {"_department_": "ear"}, {"2"}),
        ("how many appointments have _diagnosis_", {"_diagnosis_": "conjunctivitis"}, {"2"}),
    ],
)
def test_questions_and_their_answers(
    folder: Path, asked: dict[str, str], question: str, names: dict[str, str], answer: set[str]
) -> None:
    words = question.split()
    assert question in asked, [each for each in asked if words[2] in each and words[-1] in each][
        :40
    ]
    assert answer_of(folder, asked[question], names) == answer
