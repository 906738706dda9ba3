#!/bin/sh
# fuzz.sh SCRATCH LIMIT [TARGET…]: runs the built Fuzzer on each target, or on those named, until a limit of libFuzzer's
# is reached: -max_total_time=SECONDS or -runs=NUMBER. What it finds goes to the target's seeds, so that `make test` fails
# until it is fixed; inputs that only reach new branches stay in SCRATCH/corpus, where the next run goes on.
set -eu

scratch=$1
limit=$2
shift 2
fuzzer=$scratch/release/Fuzzer
known=$("$fuzzer" --list)
for target in "$@"; do
  echo "$known" | grep -qx "$target" || {
    echo "no target '$target'; there are:" $known >&2
    exit 64
  }
done
[ $# -gt 0 ] || set -- $known

# Inputs are small and many: the stack of each allocation, memory that goes back to the system and a long quarantine take
# three quarters of the time. To see where the memory of a finding was allocated, run it with other options.
ASAN_OPTIONS=${ASAN_OPTIONS:-malloc_context_size=0:quarantine_size_mb=4:allocator_release_to_os_interval_ms=-1}
export ASAN_OPTIONS

mkdir -p "$scratch/logs"
status=0
for target in "$@"; do
  seeds=Fuzzing/Seeds/$target
  corpus=$scratch/corpus/$target
  log=$scratch/logs/$target.log
  mkdir -p "$corpus" "$seeds"
  # A crash's stack is in the log; Swift's own report of it takes longer than the search.
  if SWIFT_BACKTRACE=enable=no "$fuzzer" "$target" "$limit" -max_len=32768 -timeout=10 \
    -rss_limit_mb=2048 -detect_leaks=0 -print_final_stats=1 -artifact_prefix="$seeds/" \
    "$corpus" "$seeds" >"$log" 2>&1; then
    found=""
  else
    found="FOUND $(sed -n 's/.*Test unit written to //p' "$log" | tail -1); $log says what"
    status=1
  fi
  awk -v target="$target" -v found="$found" '
    /cov: / { for (i = 1; i < NF; i++) if ($i == "cov:") covered = $(i + 1) }
    /^stat::number_of_executed_units:/ { runs = $2 }
    /^stat::average_exec_per_sec:/ { speed = $2 }
    END { printf "%-12s %9d runs, %6d a second, %5d branches %s\n", target, runs, speed, covered, found }' "$log"
done
exit $status
