#!/usr/bin/env bash
# From nothing to a semantic parser and its denotation accuracy: set-up, then twostage build.
# A domain.yaml with questions.txt beside it gets these answered, too.
#
#   bash scripts/quickstart.sh [DOMAIN]    DOMAIN: cinema (default) or trains of examples/, a
#                                          domain.yaml, an Overnight domain, or geo
#
# Installs into .venv. A domain.yaml needs no other data; for the others the datasets are taken from
# $TWOSTAGE_DATA, or downloaded into data/. Run again after an interruption: it goes on.
# Variables: those of scripts/setup.sh; TWOSTAGE_RUNS, DATA_BIN, RESULTS, QUESTIONS, a file of them.
set -euo pipefail
# Every command would compile PyTorch and fairseq anew, a third of its start.
unset PYTHONDONTWRITEBYTECODE
cd "$(dirname "${BASH_SOURCE[0]}")/.."
domain=${1:-cinema}
[ ! -e "examples/$domain/domain.yaml" ] || domain=examples/$domain/domain.yaml

bash scripts/setup.sh
export PATH="$(cd "${TWOSTAGE_VENV:-.venv}" && pwd)/bin:$PATH"
export TWOSTAGE_RUNS=${TWOSTAGE_RUNS:-runs/quickstart}

case $domain in
  *.yaml | *.yml)
    beside=$(dirname "$domain")/questions.txt
    [ ! -e "$beside" ] || QUESTIONS=${QUESTIONS:-$beside}
    ;;
  *)
    if [ -z "${TWOSTAGE_DATA:-}" ]; then
      bash scripts/download_data.sh
      export TWOSTAGE_DATA=$PWD/data
    fi
    ;;
esac
exec twostage build "$domain" ${DATA_BIN:+--data "$DATA_BIN"} ${RESULTS:+--results "$RESULTS"} \
  ${QUESTIONS:+--questions "$QUESTIONS"}
