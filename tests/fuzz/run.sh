# run.sh SECONDS [TARGET[:SECONDS]]...: runs the fuzzers that `make fuzzers` has built, each for so long, FUZZ_JOBS at a time.
# New inputs that reach new code are kept in tests/fuzz/grown/, where the next run goes on; inputs that a target died of in
# tests/fuzz/found/. FUZZ_GROWN names another folder than the former. Ends with one line that counts executions and crashes, and with status 1 if there was any.
. "${srcdir:-.}/tests/init.sh"

seconds=$1
shift
# shellcheck disable=SC2086 # a list
[ $# -gt 0 ] || set -- $FUZZ_TARGETS
here=$built/tests/fuzz
grown=${FUZZ_GROWN-$here/grown}
mkdir -p "$grown" "$here/found" || broken "cannot use $here"

# Memory of a target under AddressSanitizer, and of one allocation (MB); time for one input (s). No input is larger than
# some hundred kB: what takes more is out of proportion, or a hang.
limits='-rss_limit_mb=1024 -malloc_limit_mb=256 -timeout=20'
DBPROF_DATADIR=$top
ASAN_OPTIONS=quarantine_size_mb=16:malloc_context_size=8:detect_leaks=1
export ASAN_OPTIONS DBPROF_DATADIR

# In memory, if there is: targets write each input to a file.
[ ! -w /dev/shm ] || scratch=$(mktemp -d /dev/shm/dbprof-fuzz.XXXXXX) || broken "cannot make a temporary folder"
TMPDIR=${scratch:-$work}
export TMPDIR

# fuzz TARGET SECONDS: its log in $work/TARGET.log, its exit status in $work/TARGET.status.
fuzz() {
	mkdir -p "$grown/$1"
	dict=$top/tests/fuzz/dict/$1
	[ -r "$dict" ] && dict=-dict=$dict || dict=
	# shellcheck disable=SC2086 # several options, or none
	"$here/clang/fuzz-$1" -seed=1 -max_total_time="$2" $limits $dict -print_final_stats=1 \
		-artifact_prefix="$here/found/$1-" "$grown/$1" "$top/tests/fuzz/corpus/$1" >"$work/$1.log" 2>&1
	echo $? >"$work/$1.status"
}

running=0
for target; do
	case $target in
	*:*) fuzz "${target%:*}" "${target#*:}" & ;;
	*) fuzz "$target" "$seconds" & ;;
	esac
	running=$((running + 1))
	[ "$running" -lt "${FUZZ_JOBS-1}" ] || {
		wait
		running=0
	}
done
wait
[ -z "${scratch-}" ] || rm -rf "$scratch"

executions=0 crashes=0
for target; do
	target=${target%:*}
	log=$work/$target.log
	n=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
	printf '%s: %s executions\n' "$target" "${n:-0}"
	executions=$((executions + ${n:-0}))
	[ "$(cat "$work/$target.status")" -ne 0 ] || continue
	crashes=$((crashes + 1))
	fail "$target died: $(sed -n 's/.*Test unit written to //p' "$log")"
	grep -E 'runtime error|^fuzz: |ERROR: |^ +#[0-9]+ ' "$log" | sed -n '1,25s/^/    /p'
done
printf 'ROBUSTNESS fuzz %d %d: inputs that fuzzers executed, of them crashes\n' "$executions" "$crashes"
