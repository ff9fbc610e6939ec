#!/usr/bin/env bash
# Every system of the paper on GeoGranno, as research/workflow/geogranno.yaml lists them: trains what is
# missing, and can be stopped and started again.
#
#   bash scripts/reproduce_geogranno.sh [--dry-run] [--cores N] [options of snakemake]
#
# --dry-run prints what is missing and the estimated time. Variables: those of research/workflow/run.sh;
# TWOSTAGE_DATA names the datasets' folder (default: data, fetched by scripts/download_data.sh).
set -euo pipefail
here=$(dirname "${BASH_SOURCE[0]}")
exec bash "$here/../research/workflow/run.sh" "$here/../research/workflow/geogranno.yaml" "$@"
