#!/usr/bin/env bash
# From nothing to a semantic parser and its denotation accuracy; a domain.yaml with questions.txt
# beside it gets these answered, too.
#
#   bash scripts/quickstart.sh [DOMAIN]    DOMAIN: examples/cinema/domain.yaml (default), another
#                                          domain.yaml, an Overnight domain, or geo
#
# Installs into .venv, prepares the data and trains, with a shortened schedule. A
# domain.yaml needs no other data; for the others the datasets are taken from $TWOSTAGE_DATA, or
# downloaded into data/. Run again after an interruption: it goes on.
# Variables: those of scripts/setup.sh; TWOSTAGE_RUNS, DATA_BIN, RESULTS; and for a domain.yaml
# AUXILIARY_EPOCHS, PRETRAIN_EPOCHS, WARM_EPOCHS and QUESTIONS, a file of them, for the others those
# of scripts/train_domain.sh.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
domain=${1:-examples/cinema/domain.yaml}

bash scripts/setup.sh
export PATH="$(cd "${TWOSTAGE_VENV:-.venv}" && pwd)/bin:$PATH"
export TWOSTAGE_RUNS=${TWOSTAGE_RUNS:-runs/quickstart}

published() { # a domain of the published datasets, as the paper has it
  if [ -z "${TWOSTAGE_DATA:-}" ]; then
    bash scripts/download_data.sh
    export TWOSTAGE_DATA=$PWD/data
  fi
  export DATA_BIN=${DATA_BIN:-data-bin/$domain}
  twostage prepare --domain "$domain" --dest "$DATA_BIN"
  # Not the name of the full schedule's results.
  export CYCLE_EPOCHS=${CYCLE_EPOCHS:-15} SYSTEM=${SYSTEM:-quickstart}
  echo "quickstart: cycle learning shortened to $CYCLE_EPOCHS of its 50 epochs;" \
    "the full schedule: bash scripts/train_domain.sh $domain"
  bash scripts/train_domain.sh "$domain"
}

# epochs N SIDE: N of them for 350 training lines or more, up to five times as many for fewer.
epochs() {
  local lines
  lines=$(wc -l <"$data/text/train.$2")
  echo $((lines >= 350 ? $1 : lines > 70 ? $1 * 350 / lines : $1 * 5))
}

# train STAGE: it, and those before it that it needs and that are not done.
train() {
  twostage train --config configs/recommended.yaml --domain "$domain" --data "$data" \
    --until "$1" --set "epochs.auxiliary=${AUXILIARY_EPOCHS:-$(epochs 40 cf)}" \
    --set "epochs.pretrain=${PRETRAIN_EPOCHS:-$(epochs 40 nl)}" \
    --set "stages.warm.options.max-epoch=${WARM_EPOCHS:-$(epochs 25 nl)}" \
    >"$logs/$1.log" 2>&1 ||
    { tail -n 25 "$logs/$1.log" >&2; echo "quickstart: error: $1; see $logs/$1.log" >&2; exit 1; }
  echo "quickstart: $1 done after $SECONDS s"
}

# logged NAME COMMAND…: what it says of itself goes into a log, and is shown if it fails.
logged() {
  local log=$logs/$1.log
  shift
  "$@" 2>"$log" || { tail -n 25 "$log" >&2; exit 1; }
}

own() { # a domain of one's own
  name=$(python -c 'import sys
from fairseq_twostage.corpora.domains import load_domain
from fairseq_twostage.errors import print_user_errors_in_one_line
print_user_errors_in_one_line()
print(load_domain(sys.argv[1]).name)' "$domain")
  data=${DATA_BIN:-data-bin/$name}
  logs=$TWOSTAGE_RUNS/$name.logs
  run=$TWOSTAGE_RUNS/$name.grammar.1
  mkdir -p "$logs"
  SECONDS=0
  twostage prepare --domain "$domain" --dest "$data"
  echo "quickstart: the recommended system without its last stage, cycle learning;" \
    "the whole: twostage train --config configs/recommended.yaml --domain $domain"
  # Two jobs side by side, one core each: guessed pairs, and the paraphraser's first phase.
  trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
  train pairs.sentence_encoder &
  train dae
  wait $!
  train warm.sentence_encoder
  local models=(--parser "$run/parser/checkpoint_best.pt"
    --paraphraser "$run/warm.sentence_encoder/checkpoint_best.pt" --pick executable_paraphrase)
  logged export twostage export --data "$data" "${models[@]}" --output "$run/exported" --force
  if [ -e "$data/gold/test.tsv" ]; then
    twostage nearest --data "$data" ${RESULTS:+--results "$RESULTS"} | tail -n 1
    logged evaluate twostage evaluate --data "$data" "${models[@]}" --lookup \
      --predictions "$run/predictions.test.tsv" \
      ${RESULTS:+--results "$RESULTS" --system quickstart --config recommended} | tail -n 1
  else
    echo "no annotated test rows, so no score"
  fi
  questions=${QUESTIONS:-$(dirname "$domain")/questions.txt}
  [ ! -e "$questions" ] || twostage parse "$run/exported" --file "$questions"
}

case $domain in
  *.yaml | *.yml) own ;;
  *) published ;;
esac
