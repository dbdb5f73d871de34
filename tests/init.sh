# init.sh: what every shell test begins with:  . "${srcdir:-.}/tests/init.sh"
#
# A test has $dbprof (the program), $work (an empty folder, removed at the end), $top (the source tree) and $built (the
# build tree). It goes on after a failed check, so that one run tells all; it ends with status 1 if any check failed, 77
# if it cannot run here, 99 if its set-up is broken.

set -u
# What a shell starts with & ignores SIGINT, and nohup's commands SIGHUP: dbprof would then ignore them too.
if [ -z "${DBPROF_TEST_SIGNALS-}" ] && ! grep -qs '^SigIgn:[[:space:]]*0*$' /proc/self/status && env --default-signal true 2>/dev/null; then
	exec env --default-signal DBPROF_TEST_SIGNALS=default "$(readlink /proc/$$/exe)" "$0" "$@"
fi
LC_ALL=C
export LC_ALL
unset DBPROF_DATADIR DBPROF_GNUPLOT

top=${abs_top_srcdir:-$(cd "${srcdir:-.}" && pwd)}
choose_tier() {
	. "$top/tests/support/tiers.sh"
}
choose_tier
built=${abs_top_builddir:-$(pwd)}
dbprof=$built/dbprof
failures=0
work=

finish() {
	status=$?
	[ ! -e "$work/beside/parts" ] || join_beside
	[ -z "$work" ] || rm -rf "$work"
	[ "$failures" -eq 0 ] || status=1
	exit "$status"
}
trap finish EXIT
trap 'end_beside; exit 99' HUP INT TERM

fail() {
	printf 'FAIL: %s\n' "$*"
	failures=$((failures + 1))
}

skip() {
	printf 'SKIP: %s\n' "$*"
	exit 77
}

broken() {
	printf 'ERROR: %s\n' "$*"
	exit 99
}

work=$(mktemp -d "${TMPDIR:-/tmp}/dbprof-test.XXXXXX") || broken "cannot make a temporary folder"
[ -x "$dbprof" ] || broken "$dbprof is not built"

# True if this dbprof can record, if it was built with sanitizers, if an NVIDIA GPU is in this machine.
have_cuda() {
	grep -q '^#define HAVE_CUDA' "$built/src/config.h"
}
have_sanitizers() {
	[ -n "${SANITIZERS-}" ]
}
have_thread_sanitizer() {
	case ${SANITIZERS-} in
	*thread*) ;;
	*) return 1 ;;
	esac
}
# NVIDIA's runtime, which is linked in, loses memory where there is no driver. Of the commands only doctor asks it then.
no_leak_check() {
	have_cuda && have_sanitizers && ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0 && export ASAN_OPTIONS
}
have_gpu() {
	for file in /dev/nvidia[0-9]* /dev/dxg; do
		[ -e "$file" ] && return
	done
	for file in /sys/bus/pci/devices/*/class; do
		grep -qs '^0x03' "$file" && grep -qs '^0x10de' "${file%class}vendor" && return
	done
	return 1
}
# Says of a program that used no CUDA what dbprof does: first what this machine lacks for it.
says_unused() {
	if [ -e /proc/driver/nvidia/version ] || [ -e /dev/dxg ]; then
		echo "no process loaded dbprof's library: it used no CUDA, or the environment was not passed on (as by env -i, sudo, a container, srun)"
	elif have_gpu; then
		echo 'no NVIDIA driver in this machine, and it used no CUDA'
	else
		echo 'no NVIDIA GPU in this machine, and it used no CUDA'
	fi
}
# with_stand_in COMMAND...: runs it with the stand-in GPU (docs/stand-in.md): $dbprof_shared, or a program like it.
# shellcheck disable=SC2034
dbprof_shared=$built/tests/dbprof-shared
with_stand_in() {
	env LD_LIBRARY_PATH="$built/tests/stand-in/lib" DBPROF_CUPTI_PATH="$built/tests/stand-in/lib/libcupti.so" \
		DBPROF_DATADIR="$top" "$@"
}
# crowding MILLISECONDS: so many of them may pass here for what takes so long where nobody else wants a processor.
crowding() {
	awk -v ms="$1" -v cores="$(nproc)" '{
		split($4, running, "/")
		want = $1 > running[1] ? $1 : running[1]
		print int(want > cores ? ms * want / cores : ms)
	}' /proc/loadavg
}
# await COMMAND...: until it succeeds. Ten minutes are longer than anything takes: then it fails.
await() {
	for _ in $(seq 6000); do
		! "$@" 2>/dev/null || return 0
		sleep 0.1
	done
	fail "this did not come: $*"
	return 1
}
have_gnuplot() {
	command -v gnuplot >/dev/null
}

work_in() {
	work=$work/$1
	mkdir "$work" || broken "cannot use $work"
	cd "$work" || broken "cannot use $work"
}
# beside FUNCTION...: runs each beside what follows, in an empty folder of its own, which is its $work. They and what follows share no
# files. For what waits more than it computes.
beside() {
	mkdir "$work/beside" || broken "cannot use $work"
	for part; do
		(
			work_in "beside/$part"
			"$part"
			[ "$failures" -eq 0 ]
		) >"$work/beside/$part.said" 2>&1 &
		echo "$part $!" >>"$work/beside/parts"
	done
}
# end_tree PROCESS: ends it and what it started.
end_tree() {
	# shellcheck disable=SC2046
	set -- "$1" $(cat "/proc/$1/task/$1/children" 2>/dev/null)
	kill "$1" 2>/dev/null
	shift
	for child; do
		end_tree "$child"
	done
}
# What was signalled ends, and so do those beside it: what a shell starts with & ignores SIGINT.
end_beside() {
	[ -e "$work/beside/parts" ] || return
	while read -r _ pid; do
		end_tree "$pid"
	done <"$work/beside/parts"
	rm "$work/beside/parts"
	wait
}
# join_beside: waits for those of the last beside(); what they print comes in order.
join_beside() {
	while read -r part pid; do
		wait "$pid" || {
			failures=$((failures + 1))
			echo "FAIL: $part:"
		}
		cat "$work/beside/$part.said"
	done <"$work/beside/parts"
	rm -r "$work/beside"
}
# together FUNCTION...: these and nothing else at once.
together() {
	beside "$@"
	join_beside
}

# run STATUS COMMAND...: runs it, leaves its output in $work/out and $work/err, and checks its exit status.
run() {
	want=$1
	shift
	# A shell says which signal has ended a command, dash where the command's own messages go: so it gets another place for that.
	("$@" 2>&4 4>&-) >"$work/out" 2>/dev/null 4>"$work/err" </dev/null
	got=$?
	[ "$got" -eq "$want" ] && return
	fail "status $got instead of $want: $*"
	sed 's/^/    /' "$work/err"
}

# run_decided STATUS ARGUMENT...: `dbprof contrast -o page` with them, where the verdict needs six blocks. A busy machine gets a larger
# budget for these.
run_decided() {
	want=$1
	shift
	for budget in 6s 24s 96s 384s; do
		rm -rf page
		got=0
		timeout 1000 "$dbprof" contrast -o page --budget=$budget "$@" >"$work/out" 2>"$work/err" </dev/null || got=$?
		grep -q 'whole blocks\?, 6 are needed' "$work/out" || break
	done
	[ "$got" -eq "$want" ] && return
	fail "status $got instead of $want with $budget: $*"
	sed 's/^/    /' "$work/err"
}

# run_error STATUS PATTERN COMMAND...: the same for a command that must fail with exactly one line, matching PATTERN.
run_error() {
	want=$1 pattern=$2
	shift 2
	run "$want" "$@"
	if [ "$(wc -l <"$work/err")" -ne 1 ] || ! grep -q '^dbprof: ' "$work/err"; then
		fail "not one line that begins with 'dbprof: ': $*"
		sed 's/^/    /' "$work/err"
	elif ! grep -Eqi -- "$pattern" "$work/err"; then
		fail "the message lacks '$pattern': $(cat "$work/err")"
	fi
}

# contains FILE PATTERN: checks that a line of FILE matches.
contains() {
	grep -Eq -- "$2" "$1" && return
	fail "no line in $(basename "$1") matches '$2'"
	sed -n '1,5s/^/    /p' "$1"
}

# fingerprint FOLDER: a line for each file in it, and for each folder, with its checksum: to see that nothing changed.
fingerprint() {
	(cd "$1" && find . -type d -print -o -exec cksum {} + | sort)
}

# unpack NAME: leaves the real export tests/data/NAME.sqlite.xz in $work/NAME.sqlite.
unpack() {
	xz -dc "$top/tests/data/$1.sqlite.xz" >"$work/$1.sqlite" || broken "cannot unpack tests/data/$1.sqlite.xz (Debian: xz-utils)"
}

# unpack_shipped FILE: leaves the recording that ships in FILE as the SQLite file that other programs read.
unpack_shipped() {
	"$dbprof" export --format=sqlite "$top/reports/recordings/h100.sqlite.zst" -o "$1" || broken "the recording that ships cannot be unpacked"
}

# golden FILE NAME: compares FILE with tests/golden/NAME, or renews that when UPDATE_GOLDEN is set.
golden() {
	if [ -n "${UPDATE_GOLDEN-}" ]; then
		cp "$1" "$top/tests/golden/$2" || broken "cannot renew tests/golden/$2"
	fi
	diff -u "$top/tests/golden/$2" "$1" && return
	fail "$(basename "$1") is not tests/golden/$2 (if it is right now: UPDATE_GOLDEN=1 make check)"
}
