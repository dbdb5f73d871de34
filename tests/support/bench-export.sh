# bench-export.sh: `make bench-export`: how long the report of a large export takes, and how much memory for each of its rows.
# KERNELS says how large; the export has 2.5 rows for each. docs/bench.md keeps the figures.
. "${srcdir:-.}/tests/init.sh"
set -e

kernels=${KERNELS:-10000000}
"$built/tests/tools/make-export" "$top/tests/support/nsys-schema.sql" "$work/large.sqlite" "$kernels"
for _ in 1 2 3; do
	"$built/tests/tools/measure" "$work/usage" "$dbprof" report "$work/large.sqlite" -o "$work/report" >/dev/null
	cat "$work/usage" >>"$work/all"
done
sort -n "$work/all" | awk -v kernels="$kernels" '
	NR == 2 {
		rows = kernels * 2.5
		printf "%d rows: %s s, %s MB; %.2f million rows a second, %.0f bytes a row\n", rows, $1, $2, rows / $1 / 1e6,
			$2 * 1048576 / rows
	}'
