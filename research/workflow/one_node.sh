#!/usr/bin/env bash
# This machine as a Slurm cluster of one node, and the workflow on it: a data-bin, eight stages and
# three results of calendar. The job that denoises is requeued once, and goes on.
#
#   bash research/workflow/one_node.sh FOLDER
#
# Needs root on Debian; installs slurm-wlm and munge. FOLDER gets the configuration, the state and
# the logs of the cluster, the runs and the results; its daemons end with the script.
# TWOSTAGE_DATA    folder with the datasets
set -euo pipefail
usage="usage: bash research/workflow/one_node.sh FOLDER"
mkdir -p "${1:?$usage}"
folder=$(cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
[ "$(id -u)" = 0 ] || { echo "one_node: error: only root can start Slurm's daemons" >&2; exit 1; }
export TWOSTAGE_DATA=${TWOSTAGE_DATA:?TWOSTAGE_DATA: the folder with the datasets}

command -v slurmd >/dev/null ||
  apt-get install -y --no-install-recommends slurm-wlm munge >"$folder/apt.log"
bash scripts/setup.sh
export PATH="$(cd "${TWOSTAGE_VENV:-.venv}" && pwd)/bin:$PATH"
# Later ones may ask for another Snakemake than ours.
pip install -q 'snakemake-executor-plugin-slurm==2.8.0' 'snakemake-executor-plugin-slurm-jobstep<1'

host=$(hostname -s)
cores=$(env -u OMP_NUM_THREADS nproc)
megabytes=$(awk '/^MemTotal/ { print int($2 / 1024 * 0.9) }' /proc/meminfo)
# srun inside of jobs looks there alone.
[ ! -e /etc/slurm/slurm.conf ] ||
  { echo "one_node: error: /etc/slurm/slurm.conf: this machine has a cluster already" >&2; exit 1; }
cat >"$folder/slurm.conf" <<END
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobCompType=jobcomp/filetxt
JobCompLoc=$folder/ended.txt
# Snakemake asks squeue, where no database keeps accounts: ended jobs stay for ten minutes.
MinJobAge=600
JobRequeue=1
MailProg=/bin/true
NodeName=$host NodeAddr=127.0.0.1 CPUs=$cores RealMemory=$megabytes State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
mkdir -p "$folder/state" "$folder/spool" /etc/slurm
ln -s "$folder/slurm.conf" /etc/slurm/slurm.conf

end() {
  rm -f /etc/slurm/slurm.conf
  for name in slurmd slurmctld; do
    [ ! -f "$folder/$name.pid" ] || kill "$(cat "$folder/$name.pid")" 2>/dev/null || true
  done
  [ -z "${watching:-}" ] || kill "$watching" 2>/dev/null || true
}
trap end EXIT
if ! pgrep -x munged >/dev/null; then
  install -d -o munge -g munge /run/munge
  runuser -u munge -- munged
fi
slurmctld
slurmd
for _ in $(seq 60); do
  [ "$(sinfo -h -o %T 2>/dev/null)" != idle ] || break
  sleep 1
done
sinfo

requeue() { # the first job of a stage, once it has written a checkpoint
  local stage=$1 checkpoint=$2 job
  until [ -f "$checkpoint" ]; do sleep 0.2; done
  job=$(squeue -h -t RUNNING -o '%i %k' | grep "_$stage\$" | cut -d' ' -f1)
  echo "one_node: $stage, job $job, has a checkpoint: it is killed and requeued"
  scontrol requeue "$job"
}
run=$folder/runs/calendar.paper.1
requeue dae "$run/dae/checkpoint_last.pt" &
watching=$!

cat >"$folder/matrix.yaml" <<END
blocks:
  - {systems: [naive_parser, minus_cycle_learning, complete], domains: [calendar]}
END
DATA_BINS=$folder/data-bin TWOSTAGE_RUNS=$folder/runs RESULTS=$folder/results.jsonl \
  CHANGES="epochs.auxiliary=1 epochs.pretrain=6 epochs.cycle=1" \
  bash research/workflow/run.sh "$folder/matrix.yaml" --together --executor slurm --jobs 10 \
  --slurm-status-command squeue

log=$run/dae/train.log
states=$(grep -o 'JobState=[A-Z]*' "$folder/ended.txt" | sort | uniq -c | xargs)
epochs=$(grep -o '{"epoch": [0-9]*, "valid_loss' "$log" | tr -dc '0-9\n' | xargs)
echo "one_node: what Slurm ended: $states (PENDING is the requeued one)"
echo "one_node: denoising was started $(grep -c "^{'_name'" "$log") times, epochs validated: $epochs"
echo "one_node: results: $(grep -c . "$folder/results.jsonl")"
