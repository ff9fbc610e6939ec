#!/usr/bin/env bash
# The recipes past the paper, recommended and words_only, and what each technique adds, as
# research/workflow/recipes.yaml lists them: trains what is missing, and can be stopped and started again.
#
#   bash scripts/reproduce_recipes.sh [--dry-run] [--cores N] [options of snakemake]
#
# --dry-run prints what is missing and the estimated time. Variables: those of research/workflow/run.sh, but
# that runs go to the folder recipes in TWOSTAGE_RUNS: the paper's systems train stages of the same
# names in another way. TWOSTAGE_DATA names the datasets' folder (default: data, fetched by
# scripts/download_data.sh).
set -euo pipefail
here=$(dirname "${BASH_SOURCE[0]}")
export TWOSTAGE_RUNS=${TWOSTAGE_RUNS:-runs}/recipes
exec bash "$here/../research/workflow/run.sh" "$here/../research/workflow/recipes.yaml" "$@"
