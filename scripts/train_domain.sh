#!/usr/bin/env bash
# Trains every stage of the complete model on one domain, from prepared data to accuracy.
# The stages and their options stand in the configuration CONFIG; twostage train runs each as a plain
# fairseq-train command, printed before it runs. Run the script again after an interruption and
# it goes on where it stopped.
#
#   bash scripts/train_domain.sh DOMAIN
#
# SEED              1
# CONFIG            complete (default), the code that the paper's authors released but for what its
#                   head names; cao2020_release, with that code's output bottleneck and the paper's
#                   learning rate; cao2020, the text to the letter
# DATA_BIN          data-bin/DOMAIN, made by twostage prepare
# TWOSTAGE_RUNS     runs; the run goes to DOMAIN.SETTING.SEED in it
# RESULTS           file for lines of results (.jsonl), or a folder; none are written if it is not set
# SYSTEM            what the complete model is called in them (default complete, or CONFIG if that
#                   is another one); the two others are SYSTEM_naive_parser and
#                   SYSTEM_before_cycle_learning, by default of complete without SYSTEM_
# AUXILIARY_EPOCHS  100: at most, of language models, style classifier and naive parser
# PRETRAIN_EPOCHS   50
# CYCLE_EPOCHS      50
# LOG               options of fairseq's log; "--log-format json"
set -euo pipefail

domain=${1:?usage: bash scripts/train_domain.sh DOMAIN}
config=${CONFIG:-complete}
case $config in
  complete) ;;
  cao2020 | cao2020_release) SYSTEM=${SYSTEM:-$config} ;;
  cao2020_released_cycle)
    echo "train_domain: warning: CONFIG=$config is now CONFIG=complete" >&2
    config=complete
    ;;
  *)
    echo "train_domain: error: CONFIG=$config: choose complete, cao2020 or cao2020_release" >&2
    exit 2
    ;;
esac

# train SYSTEM KEY=VALUE...: the configuration with these changes, named SYSTEM in the results.
train() {
  local changes=(--set "system=$1") change
  shift
  for change in "$@" "epochs.auxiliary=${AUXILIARY_EPOCHS:-100}" \
    "epochs.pretrain=${PRETRAIN_EPOCHS:-50}" "epochs.cycle=${CYCLE_EPOCHS:-50}"; do
    changes+=(--set "$change")
  done
  # shellcheck disable=SC2086
  twostage train --config "$config" --domain "$domain" --data "${DATA_BIN:-data-bin/$domain}" \
    --seed "${SEED:-1}" ${RESULTS:+--results "$RESULTS"} "${changes[@]}" -- ${LOG:---log-format json}
}

# GeoGranno's test rows have no canonical utterance.
naive_split=test
[ "$domain" != geo ] || naive_split=valid
train "${SYSTEM:+${SYSTEM}_}naive_parser" evaluate.paraphraser=null evaluate.source=cf "evaluate.split=$naive_split"
# As cycle learning finds it; minus_cycle_learning chooses another checkpoint.
train "${SYSTEM:+${SYSTEM}_}before_cycle_learning" evaluate.paraphraser=dae
train "${SYSTEM:-complete}" evaluate.paraphraser=cycle
