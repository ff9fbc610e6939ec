#!/usr/bin/env bash
# The site of docs/, as mkdocs.yml has it; a warning, as for a dead link, is a failure.
# Arguments go to mkdocs:
#   bash scripts/docs.sh                     into site/
#   bash scripts/docs.sh --site-dir DIR      elsewhere
#   bash scripts/docs.sh serve               shows it in a browser and follows changes
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
venv="${TWOSTAGE_VENV:-.venv}"
[ ! -d "$venv/bin" ] || export PATH="$(cd "$venv" && pwd)/bin:$PATH"
command -v mkdocs >/dev/null || {
    echo "docs: error: no mkdocs; install it: pip install '.[docs]'" >&2
    exit 1
}
export NO_MKDOCS_2_WARNING=1 # an announcement of the theme's, not about these pages
if [ "${1:-}" = serve ]; then
    exec mkdocs "$@"
fi
exec mkdocs build --strict --clean "$@"
