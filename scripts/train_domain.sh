#!/usr/bin/env bash
# Trains every stage of the complete model on one domain, from prepared data to accuracy.
# Each stage is a plain fairseq-train command, printed before it runs; run the script again
# after an interruption and it goes on where it stopped.
#
#   bash scripts/train_domain.sh DOMAIN [fairseq-train options for the last stage]
#
# Variables: SEED (1), DATA_BIN (data-bin/DOMAIN), TWOSTAGE_RUNS (runs), RESULTS (none: no
# results file), PRETRAIN_EPOCHS (50), CYCLE_EPOCHS (50), AUXILIARY_EPOCHS (100),
# LOG (options of fairseq's log: "--log-format tqdm").
set -euo pipefail

domain=${1:?usage: bash scripts/train_domain.sh DOMAIN [options]}
shift
seed=${SEED:-1}
data=${DATA_BIN:-data-bin/$domain}
setting=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["canonical"])' "$data/manifest.json")
run=${TWOSTAGE_RUNS:-runs}/$domain.$setting.$seed
plugin=$(cd "$(dirname "$0")/.." && pwd)/fairseq_twostage
# A second thread makes a model of this size slower; run several domains side by side instead.
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-1}

show() { printf '+'; printf ' %q' "$@"; printf '\n'; "$@"; }

# train STAGE DATA OPTIONS…: the options that all stages share, and a stamp when it is done.
train() {
  local stage=$1 input=$2 folder=$run/$1
  shift 2
  if [ -e "$folder/done" ]; then echo "$stage: done already"; return; fi
  mkdir -p "$folder"
  show fairseq-train "$input" --user-dir "$plugin" --seed "$seed" --save-dir "$folder" \
    --optimizer adam --lr 0.001 --clip-norm 5 --batch-size 16 --required-batch-size-multiple 1 \
    --no-epoch-checkpoints --num-workers 0 --log-file "$folder/train.log" ${LOG:---log-format json} "$@"
  touch "$folder/done"
}

# LM_x, LM_z: fluency.
for side in nl cf; do
  train "lm.$side" "$data/lm.$side" --task language_modeling --sample-break-mode eos \
    --arch utterance_lm --criterion cross_entropy --sentence-avg \
    --max-epoch "${AUXILIARY_EPOCHS:-100}" --patience 10
done

# P_dis: style.
train style "$data" --task style_classification --arch style_cnn --criterion style \
  --max-epoch "${AUXILIARY_EPOCHS:-100}" --patience 10

# P_nsp: canonical utterance to logical form.
train parser "$data" --task semantic_parsing --arch naive_parser \
  --criterion cross_entropy --sentence-avg --max-epoch "${AUXILIARY_EPOCHS:-100}" \
  --patience 10 --best-checkpoint-metric exact_match --maximize-best-checkpoint-metric

# Phase 1: denoising auto-encoders. Checkpoints are chosen by the label-free metric.
train dae "$data" --task unsupervised_paraphrase --arch dual_paraphraser --criterion denoising \
  --parser "$run/parser/checkpoint_best.pt" --max-epoch "${PRETRAIN_EPOCHS:-50}" \
  --best-checkpoint-metric label_free --maximize-best-checkpoint-metric

# Phase 2: cycle learning, back-translation and dual reinforcement learning.
train cycle "$data" --task unsupervised_paraphrase --arch dual_paraphraser \
  --criterion weighted_objectives --objectives back_translation=1,policy_gradient=1 \
  --finetune-from-model "$run/dae/checkpoint_best.pt" \
  --parser "$run/parser/checkpoint_best.pt" --style "$run/style/checkpoint_best.pt" \
  --lm-nl "$run/lm.nl/checkpoint_best.pt" --lm-cf "$run/lm.cf/checkpoint_best.pt" \
  --max-epoch "${CYCLE_EPOCHS:-50}" \
  --best-checkpoint-metric label_free --maximize-best-checkpoint-metric "$@"

show twostage evaluate --data "$data" --run "$run" --seed "$seed" \
  --paraphraser "$run/cycle/checkpoint_best.pt" --parser "$run/parser/checkpoint_best.pt" \
  --predictions "$run/cycle/predictions.test.tsv" ${RESULTS:+--results "$RESULTS"}
