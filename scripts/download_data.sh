#!/usr/bin/env bash
# Fetch the Overnight and GeoGranno files, the grammars and GloVe 6B into ./data.
# Needs only python3 (3.10 or newer). Options: --dest DIR, --only overnight geogranno grammar glove geoquery.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
PYTHONPATH="$root${PYTHONPATH:+:$PYTHONPATH}" exec "${PYTHON:-python3}" -m fairseq_twostage.domains.download "$@"
