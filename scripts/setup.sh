#!/usr/bin/env bash
# Makes .venv with PyTorch, fairseq and this package. A second run finds nothing to do.
#   PYTHON           interpreter to build on (default python3; 3.10 or newer)
#   TWOSTAGE_VENV    where the environment goes (default .venv in the repository)
#   TWOSTAGE_TORCH   what pip is to install as PyTorch, options included (default torch==2.13.0)
#   TWOSTAGE_PIP     a pip to use in the environment, such as pip==26.3 (default: as it comes)
set -euo pipefail
set -f # TWOSTAGE_TORCH is split into words, never into file names
cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec </dev/null
unset PYTHONDONTWRITEBYTECODE # see pip_install

# Why this package and not fairseq 0.12.2, the last upstream release: see setup.py.
FAIRSEQ="fairseq-fixed==0.12.3.1"
TORCH="${TWOSTAGE_TORCH:-torch==2.13.0}"
VENV="${TWOSTAGE_VENV:-.venv}"
PYTHON="${PYTHON:-python3}"
STAMP="$VENV/.twostage-setup"
LOG="$VENV/setup.log"

die() {
    echo "setup: error: $*" >&2
    exit 1
}

step() { # step MESSAGE COMMAND...: runs the command quietly, shows the log's end if it fails
    local message="$1" status=0
    shift
    echo "setup: $message"
    "$@" >"$LOG.step" 2>&1 || status=$?
    logged "$LOG.step" "$message" "$status"
}

logged() { # logged FILE MESSAGE STATUS: puts the file into the log, shows its end after a failure
    cat "$1" >>"$LOG"
    if [ "$3" != 0 ]; then
        grep -v '^WARNING: Location' "$1" | tail -n 25 >&2
        rm -f "$1"
        die "'$2' failed; the whole output is in $LOG"
    fi
    rm -f "$1"
}

pip_install() { # Python compiles what it imports, once; compiling all of it here doubles the time
    "$VENV/bin/python" -m pip install --disable-pip-version-check --no-compile "$@"
}

inputs_hash() { # of everything that decides what the environment holds
    {
        cat setup.py scripts/setup.sh
        grep '^__version__' fairseq_twostage/__init__.py
        echo "$PWD $TORCH ${TWOSTAGE_PIP:-}"
        "$VENV/bin/python" -VV
    } | "$VENV/bin/python" -c \
        'import hashlib, sys; print(hashlib.sha256(sys.stdin.buffer.read()).hexdigest())'
}

check_python() { # check_python INTERPRETER
    command -v "$1" >/dev/null || die "no interpreter $1; install Python 3.10 or newer, or set PYTHON"
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 10))' ||
        die "$1 is $("$1" -V 2>&1); Python 3.10 or newer is needed: set PYTHON to one"
}

check_build_tools() { # fairseq's extensions are compiled here unless pip finds a ready wheel
    local tools cc cxx headers
    tools="$("$VENV/bin/python" - <<'PROBE'
import os, sysconfig
for name, fallback in (("CC", "cc"), ("CXX", "c++")):
    command = os.environ.get(name) or sysconfig.get_config_var(name) or fallback
    print(command.split()[0])
print(sysconfig.get_path("include"))
PROBE
)"
    { read -r cc && read -r cxx && read -r headers; } <<<"$tools"
    local tool
    for tool in "$cc" "$cxx"; do
        command -v "$tool" >/dev/null ||
            die "no C++ compiler ($tool), which fairseq's extensions need: install one (Debian, Ubuntu: apt-get install g++), or set CC and CXX"
    done
    [ -f "$headers/Python.h" ] ||
        die "no Python headers ($headers/Python.h), which fairseq's extensions need: install them (Debian, Ubuntu: apt-get install python3-dev)"
}

make_venv() {
    if ! "$VENV/bin/python" -m pip --version >/dev/null 2>&1; then
        check_python "$PYTHON"
        "$PYTHON" -c 'import venv, ensurepip' 2>/dev/null ||
            die "$PYTHON has no venv module: install it (Debian, Ubuntu: apt-get install python3-venv)"
        echo "setup: making $VENV with $("$PYTHON" -V)"
        "$PYTHON" -m venv "$VENV" || die "could not make $VENV"
    fi
    check_python "$VENV/bin/python"
}

has_fairseq() {
    "$VENV/bin/python" -m pip show -q "${FAIRSEQ%%==*}" 2>/dev/null &&
        "$VENV/bin/python" -c \
            'import importlib.metadata as m, sys; n, v = sys.argv[1].split("=="); sys.exit(m.version(n) != v)' \
            "$FAIRSEQ" 2>/dev/null
}

verify() {
    "$VENV/bin/python" -c 'import torch, fairseq, fairseq_twostage' &&
        "$VENV/bin/fairseq-train" --help &&
        "$VENV/bin/twostage" --version
}

if [ -f "$STAMP" ] && [ "$(cat "$STAMP")" = "$(inputs_hash 2>/dev/null)" ]; then
    echo "setup: $VENV is up to date"
    exit 0
fi

make_venv
build=
has_fairseq || build=yes
[ -z "$build" ] || check_build_tools
rm -f "$STAMP"
: >"$LOG"
[ -z "${TWOSTAGE_PIP:-}" ] || step "installing ${TWOSTAGE_PIP}" pip_install $TWOSTAGE_PIP
step "installing $TORCH" pip_install $TORCH
step "installing fairseq's build tools" pip_install numpy cython 'setuptools>=77' wheel ninja
if [ -n "$build" ]; then
    # In isolation pip would build against another PyTorch; the dependencies bring torchaudio.
    # CUDA_HOME would make it compile CUDA kernels that nothing here calls. One compiler works at a
    # time: the packages that it does not need come meanwhile.
    compiling="compiling $FAIRSEQ (some minutes)"
    echo "setup: $compiling"
    wheels="$(mktemp -d)"
    compiler=
    trap '[ -z "$compiler" ] || kill "$compiler" 2>/dev/null || true; rm -rf "$wheels"' EXIT
    env -u CUDA_HOME "$VENV/bin/python" -m pip wheel --disable-pip-version-check \
        --no-build-isolation --no-deps --wheel-dir "$wheels" "$FAIRSEQ" \
        >"$LOG.compiler" 2>&1 &
    compiler=$!
fi
step "installing fairseq_twostage and its dependencies" \
    pip_install --no-build-isolation --editable '.[train,serve,database,dev,docs,repro,sentence-encoder,elmo]'
if [ -n "$build" ]; then
    status=0
    wait "$compiler" || status=$?
    compiler=
    logged "$LOG.compiler" "$compiling" "$status"
    set +f
    step "installing what was compiled" pip_install --no-index --no-deps "$wheels"/*.whl
    set -f
fi
step "trying torch, fairseq-train and twostage" verify
inputs_hash >"$STAMP"
echo "setup: done; to use it: source $VENV/bin/activate"
