# trace.sh: what the tests of `dbprof trace` on a GPU begin with: the common part, the programs, questions to a recording.
. "${srcdir:-.}/tests/gpu/init.sh"

programs=$built/tests/programs
query=$built/tests/tools/query
recording=$work/trace.sqlite
copy=CUPTI_ACTIVITY_KIND_MEMCPY
kernel=CUPTI_ACTIVITY_KIND_KERNEL
for file in "$programs/launches" "$programs/loops" "$programs/many" "$programs/no-cuda" "$programs/ranges" "$query"; do
	[ -x "$file" ] || broken "$file is not built"
done
unset CUDA_INJECTION64_PATH NVTX_INJECTION64_PATH

# trace STATUS COMMAND...: runs it under dbprof, with its output in $work/out and what dbprof says in $work/err.
trace() {
	want=$1
	shift
	rm -f "$recording"
	run "$want" timeout 300 "$dbprof" trace -o "$recording" -- "$@"
}

# q SQL [ARGUMENT]...: asks the recording. A query that fails says so on stderr and has no answer.
q() {
	"$query" "$recording" "$@"
}

# from_json FILE SQL [ARGUMENT]...: asks a JSON file, which is ?1; the arguments follow.
from_json() {
	json=$1 sql=$2
	shift 2
	"$query" :memory: "$sql" "@$json" "$@"
}

# rows TABLE [CONDITION]: how many; 0 if there is no such table.
rows() {
	if [ "$(q "SELECT count(*) FROM sqlite_master WHERE name = '$1'")" = 0 ]; then
		echo 0
	else
		q "SELECT count(*) FROM $1 WHERE ${2:-1}"
	fi
}

# equal WHAT GOT WANT
equal() {
	[ "$2" = "$3" ] || fail "$1: $2 instead of $3"
}

# beyond WHAT VALUE TEST: the value is a number for which awk finds the test true, such as '< 0.1'.
beyond() {
	awk -v x="$2" "BEGIN { exit !(x != \"\" && x + 0 $3) }" || fail "$1: '$2', which is not $3"
}

# nothing_lost WHAT
nothing_lost() {
	equal "$1: records that were lost" "$(q 'SELECT sum(dropped) + sum(untimed) FROM DBPROF_PROCESS')" 0
}

# of_process TABLE WHAT CONDITION: a column of a query over processes p.
of_process() {
	if [ "$(q "SELECT count(*) FROM sqlite_master WHERE name = '$1'")" = 0 ]; then
		echo 0
	else
		echo "(SELECT coalesce($2, 0) FROM $1 WHERE (globalPid >> 24) & 16777215 = p.pid AND $3)"
	fi
}

# counts: a line "PID KERNELS H2D BYTES D2H BYTES MEMSETS" for each process of the recording that has any.
counts() {
	q "SELECT * FROM (SELECT pid || ' ' || $(of_process $kernel 'count(*)' 1) || ' ' ||
		$(of_process $copy 'count(*)' 'copyKind = 1') || ' ' || $(of_process $copy 'sum(bytes)' 'copyKind = 1') || ' ' ||
		$(of_process $copy 'count(*)' 'copyKind = 2') || ' ' || $(of_process $copy 'sum(bytes)' 'copyKind = 2') || ' ' ||
		$(of_process CUPTI_ACTIVITY_KIND_MEMSET 'count(*)' 1) AS line, pid FROM (SELECT DISTINCT pid FROM DBPROF_PROCESS) p)
		WHERE line != pid || ' 0 0 0 0 0 0' ORDER BY pid"
}

# said: the same from the lines that the processes printed; a program that exec()ed has two.
said() {
	awk '$1 == "process" { k[$2] += $4; h[$2] += $6; hb[$2] += $7; d[$2] += $9; db[$2] += $10; m[$2] += $12 }
		END { for (p in k) printf "%d %d %d %.0f %d %.0f %d\n", p, k[p], h[p], hb[p], d[p], db[p], m[p] }' "$work/out" |
		sort -n
}

# reconciled WHAT: the recording has exactly the work that the processes printed.
reconciled() {
	said >"$work/said"
	counts | sed 's/|.*//' >"$work/counts"
	[ -s "$work/said" ] || fail "$1: the program says nothing"
	cmp -s "$work/said" "$work/counts" && return
	fail "$1: processes asked for the first, the recording has the second (PID KERNELS H2D BYTES D2H BYTES MEMSETS):"
	diff "$work/said" "$work/counts"
}
