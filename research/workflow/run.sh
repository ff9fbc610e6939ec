#!/usr/bin/env bash
# Runs a matrix of systems, domains, settings and seeds; what is there is not run again.
#
#   bash research/workflow/run.sh MATRIX [--dry-run] [--together] [options of snakemake]
#
# MATRIX is a YAML file as research/workflow/overnight.yaml. Its blocks are run one after the other, so
# that what is most wanted is there first; --together gives all to the scheduler at once.
#   --dry-run        print what is missing and the estimated time
#   --cores N        jobs at a time, one thread each (default: all cores)
#   --profile P, --executor E, …: clusters, with Snakemake's own plugins
#
# DATA_BINS        data-bin: folder of the data-bins; missing ones are made by twostage prepare
# TWOSTAGE_RUNS    runs
# RESULTS          research/results.jsonl; a file of that kind, or its folder
# CHANGES          changes of every configuration, as "epochs.cycle=1 epochs.pretrain=1"; the
#                  estimate of --dry-run does not heed them
set -euo pipefail
matrix=${1:?usage: bash research/workflow/run.sh MATRIX [--dry-run] [--together] [options of snakemake]}
shift
matrix=$(realpath "$matrix")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

bash scripts/setup.sh
export PATH="$(cd "${TWOSTAGE_VENV:-.venv}" && pwd)/bin:$PATH"
export OMP_NUM_THREADS=1 # at this model size a second thread makes a run slower

data=${DATA_BINS:-data-bin} runs=${TWOSTAGE_RUNS:-runs} results=${RESULTS:-research/results.jsonl}
cores=() together= dry= elsewhere=
snakemake=()
while [ $# -gt 0 ]; do
  case $1 in
    --dry-run | -n) dry=yes ;;
    --together) together=yes ;;
    --cores | -c) cores=(--cores "${2:?--cores N}") && shift ;;
    --cores=*) cores=(--cores "${1#*=}") ;;
    --executor* | --profile* | --jobs* | -e | -j*) elsewhere=yes && snakemake+=("$1") ;;
    *) snakemake+=("$1") ;;
  esac
  shift
done
# nproc takes OMP_NUM_THREADS for the number of cores.
[ -n "${cores[*]}$elsewhere" ] || cores=(--cores "$(env -u OMP_NUM_THREADS nproc)")
places=(--data "$data" --runs "$runs" --results "$results")

if [ -n "$dry" ]; then
  exec python -m research.workflow.estimate "$matrix" "${places[@]}" "${cores[@]}"
fi
command -v snakemake >/dev/null ||
  { echo "run: error: no snakemake; it needs Python 3.11 or newer: pip install 'snakemake>=9'" >&2; exit 1; }

run() { # run [block=N]
  # A failed job does not keep others from running; a killed one goes on where it stopped.
  snakemake --snakefile research/workflow/Snakefile "${cores[@]}" --keep-going --rerun-incomplete \
    --rerun-triggers mtime "${snakemake[@]}" --config "matrix=$matrix" "data=$data" \
    "runs=$runs" "results=$results" "changes=${CHANGES:-}" "$@"
}

status=0
if [ -n "$together" ]; then
  run || status=$?
else
  blocks=$(python -m research.workflow.estimate "$matrix" --count-blocks)
  for block in $(seq "$blocks"); do
    echo "run: block $block of $blocks"
    run "block=$block" || status=$?
  done
fi
echo "run: the report of all results: python -m research.report --results $results --dest FOLDER"
exit "$status"
