# fail-init.sh: what tests that make calls fail begin with, after init.sh.
#
# An even choice of the calls is tried: DBPROF_FAIL_MOST for each function and way to fail, and more of those for memory (0: all
# of them), and of these one in FAIL_PART (tests/support/tiers.sh).
# The tests that read it have what tests/init.sh sets, and use what is set here. shellcheck: words are to be split here.
# shellcheck disable=SC2034,SC2046,SC2154

fail_each=$built/tests/tools/fail-each
fail_library=$built/tests/stand-in/libfail.so
for file in "$fail_each" "$fail_library" "$built/tests/tools/make-recording" "$built/tests/tools/query"; do
	[ -x "$file" ] || broken "$file is not built"
done
failed_calls=0 bad_calls=0

# With sanitizers, they look for leaks; the preloaded library comes before them.
leaks=
if have_sanitizers; then
	leaks=-q
	ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0:allocator_may_return_null=1
	export ASAN_OPTIONS
fi

# What others have in the machine's folder for temporary files would be looked at, in one run and not in the next.
mkdir "$work/tmp"
TMPDIR=$work/tmp
export TMPDIR

# choose_cases PART: one in so many of standard input is in $work/cases, and one at least.
choose_cases() {
	awk -v part="$1" '{ last = $0 } NR % part == 0 { print; any = 1 } END { if (NR > 0 && !any) print last }' >"$work/cases"
}

# Tries the failures in $work/cases, $jobs at once, more than there may be processors: many wait for the GPU or a thread: try_failures OPTION-OF-FAIL-EACH... -- COMMAND...
jobs=4
try_failures() {
	(cd "$work" && "$fail_each" $leaks -j "$jobs" "$@") <"$work/cases" >"$work/tried" 2>"$work/complaints"
	[ $? -le 1 ] || broken "fail-each does not come to its end: $(cat "$work/complaints")"
	set -- $(tail -n 1 "$work/tried")
	failed_calls=$((failed_calls + $1 - $5)) bad_calls=$((bad_calls + $3))
}

# What is wrong with the last ones is a failure of the test: judge_failures WHAT
judge_failures() {
	set -- "$1" $(tail -n 1 "$work/tried")
	[ "$2" -gt 0 ] || fail "$1: nothing was made to fail"
	[ "$4" -eq 0 ] || fail "$1: $4 of $2 failed calls are not survived"
	# A few may not be made in each run, as of processes that are listened to: one in 20, and one of a sample of 8 or more. One
	# that was to fail in two ways is one call: "+" stands for all later ones, too.
	unmade=$(sed -n 's/^ *BAD FAIL_CALL=\([^ ]*\): was not reached.*/\1/p' "$work/tried" | sed 's/+$//' | sort -u | wc -l)
	[ $((unmade * 20)) -le "$2" ] || { [ "$unmade" -eq 1 ] && [ "$2" -ge 8 ]; } || fail "$1: $6 of $2 calls that were to fail were not made"
	grep '^BAD' "$work/tried" | sed -n '1,20s/^/    /p'
}

# tell_failures KEY WORDS: the line for docs/robustness.md. All calls are counted apart from a choice of them.
tell_failures() {
	key=$1
	[ "${DBPROF_FAIL_MOST-}" != 0 ] || key=$1-all
	echo "ROBUSTNESS $key $failed_calls $bad_calls: $2"
}

# use_stand_in: what follows runs on the stand-in GPU (docs/stand-in.md), with a family for it.
use_stand_in() {
	have_cuda || skip "dbprof was built without CUDA and cannot record"
	family=$built/tests/stand-in/family.so
	for file in "$dbprof_shared" "$family"; do
		[ -x "$file" ] || broken "$file is not built"
	done
	LD_LIBRARY_PATH=$built/tests/stand-in/lib
	DBPROF_CUPTI_PATH=$LD_LIBRARY_PATH/libcupti.so
	DBPROF_DATADIR=$top
	export LD_LIBRARY_PATH DBPROF_CUPTI_PATH DBPROF_DATADIR
}

# For what opens libraries. What ld.so keeps of them came by way of the preloaded library, and LeakSanitizer takes it for lost:
# leaks are then looked for without sanitizers only, by fail-each.
forget_leaks() {
	have_sanitizers || return 0
	ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0
	export ASAN_OPTIONS
}

# What a recording of families says that it lacks, for facts_of.
lacks_of_record="SELECT pass, reason FROM DBPROF_PASS WHERE status <> 'done' AND coalesce(reason, '') <> ''
	UNION ALL SELECT '', text FROM DIAGNOSTIC_EVENT WHERE coalesce(text, '') <> ''"

# facts_of RECORDING NAMES: what fail-whole.sh wants to know. NAMES is SQL that asks a recording what it says that it lacks.
# Without memory a text is stored twice. Of clocks and in some tables NULL says that a value could not be had. How many samples
# against time there are depends on the time, and how much CUPTI says that it cost on how often it was asked.
facts_of() {
	export query work
	query=$built/tests/tools/query
	echo "$2" >"$work/names.sql"
	"$query" "$1" "SELECT group_concat('SELECT ''' || t.name || ''', ' || CASE t.name
		WHEN 'DBPROF_CLOCK' THEN 'count(*)'
		WHEN 'DBPROF_MACHINE' THEN 'count(*)'
		WHEN 'DBPROF_PM_SAMPLE' THEN 'count(*) > 0'
		WHEN 'DBPROF_STALL' THEN 'count(*)'
		WHEN 'DBPROF_VERIFY' THEN 'count(DISTINCT variant || caseLabel)'
		WHEN 'PROFILER_OVERHEAD' THEN 'count(*) >= 0'
		WHEN 'StringIds' THEN 'count(DISTINCT value) FILTER (WHERE id NOT IN (SELECT nameId FROM PROFILER_OVERHEAD))'
		ELSE (SELECT 'count(*)' || group_concat(' || '' '' || count(\"' || c.name || '\")', '')
			FROM pragma_table_info(t.name) c WHERE c.name NOT LIKE '%Mhz')
		END || ' FROM ' || t.name, ' UNION ALL ')
		FROM sqlite_master t WHERE t.type = 'table'" >"$work/facts.sql" || broken "cannot read $1"
	"$query" "$1" "$(cat "$work/facts.sql")" >"$work/facts" || broken "cannot read $1"
	"$query" "$1" "$2" >"$work/named" || broken "cannot read $1"
	echo "SELECT count(*) FROM DBPROF_PASS WHERE status <> 'done' AND coalesce(reason, '') <> ''" >"$work/lost.sql"
	"$query" "$1" "$(cat "$work/lost.sql")" >"$work/lost" || broken "cannot read $1"
}

# fail_calls MOST[/PART] OUTPUT OLDER COMMAND...: each call of the command fails once. OUTPUT is what it writes; OLDER, a copy of
# which is there before; "" for none. MOST: what DBPROF_FAIL_MOST is by default; one in PART of those. $check is for -x of fail-each; so is
# $whole, of a command that has several processes.
# One in $of of all is tried, where others try the same.
whole=
check=
of=1
fail_calls() {
	most=${DBPROF_FAIL_MOST-${1%/*}} part=1 output=$2 older=$3
	[ -n "${DBPROF_FAIL_MOST+set}" ] || [ "${1#*/}" = "$1" ] || part=${1#*/}
	shift 3
	rm -rf "$work/undisturbed" "$work/log"
	mkdir "$work/undisturbed"
	[ -z "$older" ] || cp -r "$older" "$work/undisturbed/$output"
	(cd "$work/undisturbed" && FAIL_LOG=$work/log LD_PRELOAD=$fail_library "$@") >"$work/out" 2>"$work/err" </dev/null
	[ -s "$work/log" ] || broken "no call was counted: $(cat "$work/err")"
	sort "$work/log" | awk -v most="$most" -v by_site="${whole:+1}" -f "$top/tests/support/fail-cases.awk" |
		choose_cases $((part * of * FAIL_PART))
	try_failures -o "$output" ${older:+-O "$older"} ${whole:+-x "$whole"} ${check:+-x "$check"} -e "LD_PRELOAD=$fail_library" -- "$@"
	judge_failures "$*"
}
