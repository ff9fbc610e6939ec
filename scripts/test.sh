#!/usr/bin/env bash
# Style, types, layers and tests.
#   scripts/test.sh            what a change needs: the fast tests, without data, and one short run
#                              of everything (minutes)
#   scripts/test.sh --all      every test, and the site
# Other arguments go to pytest, in place of the choice: scripts/test.sh tests/semantics -k reader
#   TWOSTAGE_DATA    folder with the datasets; without it the tests that read them are skipped
#   TWOSTAGE_VENV    the environment to use (default .venv; scripts/setup.sh makes it)
set -euo pipefail
# Every command would compile PyTorch and fairseq anew, a third of its start.
unset PYTHONDONTWRITEBYTECODE
cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec </dev/null

all=
if [ "${1:-}" = --all ]; then
    all=yes
    shift
elif [ $# = 0 ]; then
    set -- -m "smoke or not (slow or data or browser or integration)"
fi

[ -z "$all" ] || bash scripts/setup_browser.sh & # nothing of pip's
bash scripts/setup.sh
wait
export PATH="$(cd "${TWOSTAGE_VENV:-.venv}" && pwd)/bin:$PATH"
export OMP_NUM_THREADS=1 # at this model size two threads are slower than one

types() {
    set -x
    mypy
    lint-imports --no-cache
}

set -x
ruff check .
ruff format --check .
{ set +x; } 2>/dev/null
if [ -n "$all" ]; then # beside the tests, and told behind them where it fails
    told="$(mktemp)"
    (types) >"$told" 2>&1 &
    typing=$!
    trap 'kill "$typing" 2>/dev/null || true; rm -f "$told"' EXIT
else
    (types)
fi
if [ -n "$all" ] && [ -z "${TWOSTAGE_DATA:-}" ]; then
    echo "test: TWOSTAGE_DATA is not set: the tests that read the datasets will be skipped"
fi
# In the order of tests/conftest.py: pytest-xdist's own has files of few tests last, the longest.
status=0
python -m pytest -n "${TWOSTAGE_TEST_JOBS:-2}" --dist loadfile --no-loadscope-reorder \
    --durations=15 "$@" || status=$?
if [ -n "$all" ] && ! wait "$typing"; then
    cat "$told" >&2
    status=1
fi
exit "$status"
