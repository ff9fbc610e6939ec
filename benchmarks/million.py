"""A made-up database of 1,000,000 rows: init, prepare, and questions answered, seconds and memory.

    python -m benchmarks.million FOLDER [--questions N]

FOLDER is new or has what an earlier run left. Of each question the CPU time of the whole answer is
taken, then that of its SQL alone; what is told is the difference. The readings are those of
``untrained``, without confidences.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import random
import resource
import sqlite3
import time
from importlib import import_module
from pathlib import Path

import numpy as np

from fairseq_twostage import plugin
from fairseq_twostage.semantics.foreign import QueriedWorld

ROWS = {"customer": 200_000, "product": 1_000, "purchase": 300_000, "purchase_line": 499_000}
SCRIPT = """
create table customer (id integer primary key, name text, city text, since date);
create table product (id integer primary key, name text, category text, price_eur real);
create table purchase (id integer primary key, customer_id integer references customer(id),
                       date date, status text);
create table purchase_line (purchase_id integer references purchase(id),
                            product_id integer references product(id), quantity integer,
                            primary key (purchase_id, product_id));
create index by_name on customer(name);
create index by_customer on purchase(customer_id);
create index by_product on purchase_line(product_id);
"""
ASKED = (
    "which purchases did {name} make",
    "where does {name} live",
    "how many purchases has {name}",
    "which customers live in {city}",
    "how many customers are there in {city}",
    "products cheaper than {number} euros",
    "what is the average price of {category} products",
    "who has the most purchases",
    "how many purchases per status",
    "the {number} most expensive products",
)


def main() -> None:
    """Make what is not there, and measure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--questions", type=int, default=100)
    args = parser.parse_args()
    plugin.load()
    folder: Path = args.folder
    folder.mkdir(exist_ok=True)
    names = make(folder / "big.db")
    stages = {
        "init": (folder / "big", ["init", folder / "big", "--database", folder / "big.db"]),
        "prepare": (
            folder / "bin",
            ["prepare", "--domain", folder / "big", "--dest", folder / "bin"],
        ),
        "fit": (
            folder / "runs",
            ["train", "--config", "untrained", "--data", folder / "bin", "--run", folder / "runs"],
        ),
    }
    for stage, (made, words) in stages.items():
        if not made.exists():
            started = time.process_time()
            twostage(*map(str, words))
            seconds = time.process_time() - started
            print(f"{stage}: {seconds:.1f} s of CPU time, {peak():.0f} MB", flush=True)
    answers(folder, names, args.questions)


def make(path: Path) -> list[str]:
    """The database; returns the customers' names."""
    drawn = random.Random(1)
    syllables = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "ai", "or")]
    words = ["".join(drawn.choices(syllables, k=3)) for _ in range(2_000)]
    names = [f"{drawn.choice(words)} {drawn.choice(words)}" for _ in range(ROWS["customer"])]
    if path.exists():
        return names
    cities, day = words[:300], "20{:02d}-{:02d}-{:02d}".format

    def date() -> str:
        return day(drawn.randint(10, 24), drawn.randint(1, 12), drawn.randint(1, 28))

    with sqlite3.connect(path) as connection:
        connection.executescript(SCRIPT)
        insert = connection.executemany
        insert(
            "insert into customer values (?, ?, ?, ?)",
            ((n, name, drawn.choice(cities), date()) for n, name in enumerate(names)),
        )
        goods = (
            (n, f"{words[n]} {words[-n - 1]} {n}", f"sort {n % 20}", drawn.randint(1, 99_999) / 100)
            for n in range(ROWS["product"])
        )
        insert("insert into product values (?, ?, ?, ?)", goods)
        states = ("open", "paid", "sent")
        bought = (
            (n, drawn.randrange(ROWS["customer"]), date(), drawn.choice(states))
            for n in range(ROWS["purchase"])
        )
        insert("insert into purchase values (?, ?, ?, ?)", bought)
        lines = (
            (n % ROWS["purchase"], (n * 7 + n // ROWS["purchase"]) % ROWS["product"], n % 9 + 1)
            for n in range(ROWS["purchase_line"])
        )
        insert("insert into purchase_line values (?, ?, ?)", lines)
    return names


def answers(folder: Path, names: list[str], number: int) -> None:
    """Questions, one after the other; the database's own time taken off."""
    from fairseq_twostage.systems.opening import load_run
    from fairseq_twostage.systems.record import read_record

    run = next((folder / "runs").glob("*.grammar.1"))
    started = time.process_time()
    parser = load_run(read_record(run, None), run, judged=False)
    print(f"opened: {time.process_time() - started:.1f} s of CPU time, {peak():.0f} MB", flush=True)
    world = parser.world
    assert isinstance(world, QueriedWorld)
    drawn = random.Random(2)
    with sqlite3.connect(folder / "big.db") as connection:
        cities = [row[0] for row in connection.execute("select distinct city from customer")]
    beyond, own = [], []
    parser.parse_batch(["how many customers are there"])
    for count in range(number):
        question = ASKED[count % len(ASKED)].format(
            name=drawn.choice(names),
            city=drawn.choice(cities),
            number=drawn.randint(2, 90),
            category=f"sort {drawn.randrange(20)}",
        )
        started = time.process_time()
        (found,) = parser.parse_batch([question])
        whole = time.process_time() - started
        sql = world.sql(found.logical_form, found.utterance.variables)
        started = time.process_time()
        with sqlite3.connect(folder / "big.db") as connection:
            connection.execute(sql or "select 1").fetchall()
        database = time.process_time() - started
        beyond.append(1000 * (whole - database))
        own.append(1000 * database)
    for name, times in (("beyond the database", beyond), ("the database alone", own)):
        p50, p95 = np.percentile(times, [50, 95])
        print(f"{name}: p50 {p50:.0f} ms, p95 {p95:.0f} ms of CPU time, {number} questions")


def twostage(command: str, *words: str) -> None:
    """A subcommand, its output not shown."""
    module = import_module(f"fairseq_twostage.cli.{command}")
    parser = argparse.ArgumentParser()
    module.add_arguments(parser)
    with contextlib.redirect_stdout(io.StringIO()):
        module.main(parser.parse_args(words))


def peak() -> float:
    """Most memory so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
