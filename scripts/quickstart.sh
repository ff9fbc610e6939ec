#!/usr/bin/env bash
# From nothing to a semantic parser of one domain and its denotation accuracy.
#
#   bash scripts/quickstart.sh [DOMAIN]        DOMAIN: calendar (default), another Overnight
#                                              domain, or geo
#
# Installs into .venv, takes the datasets from $TWOSTAGE_DATA (or downloads them into data/),
# prepares them and trains every stage, with a shortened last one. Run again after an
# interruption: it goes on. Variables: those of scripts/setup.sh and scripts/train_domain.sh.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
domain=${1:-calendar}

bash scripts/setup.sh
export PATH="$(cd "${TWOSTAGE_VENV:-.venv}" && pwd)/bin:$PATH"

if [ -z "${TWOSTAGE_DATA:-}" ]; then
  bash scripts/download_data.sh
  export TWOSTAGE_DATA=$PWD/data
fi
export DATA_BIN=${DATA_BIN:-data-bin/$domain}
twostage prepare --domain "$domain" --dest "$DATA_BIN"
export CYCLE_EPOCHS=${CYCLE_EPOCHS:-15} TWOSTAGE_RUNS=${TWOSTAGE_RUNS:-runs/quickstart}
echo "quickstart: cycle learning shortened to $CYCLE_EPOCHS of its 50 epochs;" \
  "the full schedule: bash scripts/train_domain.sh $domain"
exec bash scripts/train_domain.sh "$domain"
