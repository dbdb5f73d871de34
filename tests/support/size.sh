# size.sh: measures the report of a large export, for `make bench-size` and tests/size.test, which source it after init.sh.
#
# shellcheck disable=SC2154 # init.sh sets them

# make_size_export EVENTS GPUS SHAPE FILE: the export, unless it is there; its numbers of rows in $kernels, $copies, $calls, $ranges,
# and in FILE.rows.
# shellcheck disable=SC2034 # for those who source this
make_size_export() {
	if [ ! -s "$4.rows" ]; then
		"$built/tests/tools/make-export" "$top/tests/support/nsys-schema.sql" "$4" "$1" "$2" "$3" >"$work/rows" || return
		mv "$work/rows" "$4.rows" || return
	fi
	read -r kernels _ copies _ calls _ ranges _ <"$4.rows"
}

# measure_size NAME COMMAND...: runs it; adds "NAME SECONDS CPU-SECONDS ANONYMOUS-MB" to $work/sizes. The file is read already.
measure_size() {
	size_name=$1
	shift
	"$built/tests/tools/measure" "$work/usage" "$@" >"$work/said" 2>"$work/err" || {
		cat "$work/err" >&2
		return 1
	}
	awk -v name="$size_name" '{ print name, $1, $3, $4 }' "$work/usage" >>"$work/sizes"
}

# measure_report EVENTS FILE THREADS: all three, one after the other, into $work/sizes; the report lies in $work/report.
measure_report() {
	: >"$work/sizes"
	measure_size plain "$built/tests/tools/plain-scan" "$2" &&
		measure_size scan "$built/tests/tools/store-scan" "$2" "$3" &&
		measure_size report env DBPROF_THREADS="$3" "$dbprof" report "$2" -o "$work/report"
}

# size_table EVENTS: what was measured, as a table.
size_table() {
	awk -v events="$1" '
		BEGIN {
			title["plain"] = "plain sqlite3_step scan"; title["scan"] = "scan of dbprof"; title["report"] = "dbprof report"
			print "| what | seconds | CPU seconds | MB, anonymous | bytes an event | events a CPU second | time to the plain scan | its CPU time |"
			print "|---|---|---|---|---|---|---|---|"
		}
		function over(a, b) { return b + 0 == 0 ? 0 : a / b }
		$1 == "plain" { plain = $2; plain_cpu = $3 }
		{
			printf "| %s | %.2f | %.2f | %.1f | %.0f | %.0f | %.2f | %.2f |\n", title[$1], $2, $3, $4, over($4 * 1e6, events), over(events, $3), over($2, plain), over($3, plain_cpu)
		}' "$work/sizes"
}

# size_of NAME COLUMN: a number of $work/sizes: 2 seconds, 3 CPU seconds, 4 MB.
size_of() {
	awk -v name="$1" -v column="$2" '$1 == name { print $column }' "$work/sizes"
}
