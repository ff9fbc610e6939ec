#!/usr/bin/env bash
# Trains every stage of the complete model on one domain, from prepared data to accuracy.
# Each stage is a plain fairseq-train command, printed before it runs; run the script again
# after an interruption and it goes on where it stopped.
#
#   bash scripts/train_domain.sh DOMAIN
#
# SEED              1
# CONFIG            cao2020_release (default), what the paper's authors released in its
#                   details, or cao2020, the paper's text to the letter
# DATA_BIN          data-bin/DOMAIN, made by twostage prepare
# TWOSTAGE_RUNS     runs; the run goes to DOMAIN.SETTING.SEED in it
# RESULTS           folder for results files; none are written if it is not set
# AUXILIARY_EPOCHS  100: at most, of language models, style classifier and naive parser
# PRETRAIN_EPOCHS   50
# CYCLE_EPOCHS      50
# LOG               options of fairseq's log; "--log-format json"
set -euo pipefail

domain=${1:?usage: bash scripts/train_domain.sh DOMAIN}
seed=${SEED:-1}
config=${CONFIG:-cao2020_release}
data=${DATA_BIN:-data-bin/$domain}
setting=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["canonical"])' \
  "$data/manifest.json")
run=${TWOSTAGE_RUNS:-runs}/$domain.$setting.$seed
plugin=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/fairseq_twostage
# A second thread makes a model of this size slower; run several domains side by side instead.
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-1}

paraphraser=(--task unsupervised_paraphrase --arch dual_paraphraser)
objectives=(--objectives "back_translation=1,policy_gradient=1")
case $config in
  cao2020) ;;
  cao2020_release)
    paraphraser+=(--bottleneck-dim 100 --no-attention-bias --reference-noise)
    objectives+=(--sampler beam --advantage-clamp 5 --dual-weight 0.5
      --rewards "fluency=0.5,style=0.5,relevance=0.5,executability=0.5")
    ;;
  *) echo "train_domain: error: CONFIG=$config: choose cao2020 or cao2020_release" >&2; exit 2 ;;
esac
label_free=(--best-checkpoint-metric label_free --maximize-best-checkpoint-metric)

show() { printf '+'; printf ' %q' "$@"; printf '\n'; "$@"; }

# train STAGE DATA OPTIONS...: with the options that all stages share; marks what is done.
train() {
  local stage=$1 input=$2 folder=$run/$1
  shift 2
  if [ -e "$folder/done" ]; then echo "$stage: done before, in $folder"; return; fi
  mkdir -p "$folder"
  # shellcheck disable=SC2086
  show fairseq-train "$input" --user-dir "$plugin" --seed "$seed" --save-dir "$folder" \
    --optimizer adam --lr 0.001 --clip-norm 5 --batch-size 16 --required-batch-size-multiple 1 \
    --no-epoch-checkpoints --num-workers 0 \
    --log-file "$folder/train.log" ${LOG:---log-format json} "$@"
  touch "$folder/done"
}

# evaluate SYSTEM OPTIONS...: denotation accuracy on the test split, or as the options say.
evaluate() {
  local system=$1
  shift
  show twostage evaluate --data "$data" --run "$run" --seed "$seed" --config "$config" \
    --system "$system" --parser "$run/parser/checkpoint_best.pt" \
    ${RESULTS:+--results "$RESULTS"} "$@"
}

# LM_x and LM_z: fluency.
for side in nl cf; do
  train "lm.$side" "$data/lm.$side" --task language_modeling --sample-break-mode eos \
    --arch utterance_lm --criterion cross_entropy --sentence-avg \
    --max-epoch "${AUXILIARY_EPOCHS:-100}" --patience 10
done

# P_dis: style.
train style "$data" --task style_classification --arch style_cnn --criterion style \
  --max-epoch "${AUXILIARY_EPOCHS:-100}" --patience 10

# P_nsp: canonical utterance to logical form. No patience: on GeoGranno exact match stands still
# for more than ten epochs while the parser still learns its own training pairs.
train parser "$data" --task semantic_parsing --arch naive_parser \
  --criterion cross_entropy --sentence-avg --max-epoch "${AUXILIARY_EPOCHS:-100}" \
  --best-checkpoint-metric exact_match --maximize-best-checkpoint-metric

# Phase 1: denoising auto-encoders. Checkpoints are chosen by the label-free metric.
train dae "$data" "${paraphraser[@]}" --criterion denoising \
  --parser "$run/parser/checkpoint_best.pt" --max-epoch "${PRETRAIN_EPOCHS:-50}" "${label_free[@]}"

# Phase 2: cycle learning, back-translation and dual reinforcement learning.
train cycle "$data" "${paraphraser[@]}" --criterion weighted_objectives "${objectives[@]}" \
  --finetune-from-model "$run/dae/checkpoint_best.pt" \
  --parser "$run/parser/checkpoint_best.pt" --style "$run/style/checkpoint_best.pt" \
  --lm-nl "$run/lm.nl/checkpoint_best.pt" --lm-cf "$run/lm.cf/checkpoint_best.pt" \
  --max-epoch "${CYCLE_EPOCHS:-50}" "${label_free[@]}"

# GeoGranno's test rows have no canonical utterance.
naive_split=test
[ "$domain" != geo ] || naive_split=valid
evaluate naive_parser --source cf --split "$naive_split"
evaluate minus_cycle_learning --paraphraser "$run/dae/checkpoint_best.pt"
evaluate complete --paraphraser "$run/cycle/checkpoint_best.pt" \
  --predictions "$run/cycle/predictions.test.tsv"
