# fail-init.sh: what tests that make calls fail begin with, after init.sh.
#
# `make check` tries an even choice of the calls, DBPROF_FAIL_MOST for each function and way to fail: with 0 all of them.
# The tests that read it have what tests/init.sh sets. shellcheck: words are to be split here.
# shellcheck disable=SC2046,SC2154

fail_each=$built/tests/fail-each
fail_library=$built/tests/stand-in/libfail.so
for file in "$fail_each" "$fail_library" "$built/tests/make-recording" "$built/tests/query"; do
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

# Tries the failures in $work/cases: try_failures OPTION-OF-FAIL-EACH... -- COMMAND...
try_failures() {
	(cd "$work" && "$fail_each" $leaks -j 2 "$@") <"$work/cases" >"$work/tried" 2>"$work/complaints"
	[ $? -ne 99 ] || broken "$(cat "$work/complaints")"
	set -- $(tail -n 1 "$work/tried")
	failed_calls=$((failed_calls + $1 - $5)) bad_calls=$((bad_calls + $3))
}

# What is wrong with the last ones is a failure of the test: judge_failures WHAT
judge_failures() {
	set -- "$1" $(tail -n 1 "$work/tried")
	[ "$2" -gt 0 ] || fail "$1: nothing was made to fail"
	[ "$4" -eq 0 ] || fail "$1: $4 of $2 failed calls are not survived"
	# A few may not be made in each run, as of processes that are listened to.
	[ $(($6 * 20)) -le "$2" ] || fail "$1: $6 of $2 calls that were to fail were not made"
	grep '^BAD' "$work/tried" | sed -n '1,20s/^/    /p'
}

# fail_calls MOST OUTPUT OLDER COMMAND...: each call of the command fails once. OUTPUT is what it writes; OLDER, a copy of
# which is there before; "" for none. MOST: see above.
fail_calls() {
	most=${DBPROF_FAIL_MOST-$1} output=$2 older=$3
	shift 3
	rm -rf "$work/undisturbed" "$work/log"
	mkdir "$work/undisturbed"
	[ -z "$older" ] || cp -r "$older" "$work/undisturbed/$output"
	(cd "$work/undisturbed" && FAIL_LOG=$work/log LD_PRELOAD=$fail_library "$@") >"$work/out" 2>"$work/err" </dev/null
	[ -s "$work/log" ] || broken "no call was counted: $(cat "$work/err")"
	sort "$work/log" | awk -v most="$most" -f "$top/tests/fail-cases.awk" >"$work/cases"
	try_failures -o "$output" ${older:+-O "$older"} -e "LD_PRELOAD=$fail_library" -- "$@"
	judge_failures "$*"
}
