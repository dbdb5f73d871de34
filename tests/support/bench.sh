# bench.sh: `make bench`: how long `dbprof --all` takes here and what a row of a traced program costs, and how that compares
# with the figures kept in docs/bench.md.
. "${srcdir:-.}/tests/init.sh"
set -e

figures=$top/docs/bench.md
runs=5
if have_gpu; then
	what="with a GPU" limit=60
else
	what="without a GPU" limit=4
fi
i=0
while [ "$i" -lt "$runs" ]; do
	rm -rf "$work/report"
	"$built/tests/tools/measure" "$work/usage" "$dbprof" --all -o "$work/report" >/dev/null
	cat "$work/usage" >>"$work/all"
	i=$((i + 1))
done

# median COLUMN
median() {
	sort -n -k "$1,$1" "$work/all" | awk -v c="$1" '{ v[NR] = $c } END { print v[int((NR + 1) / 2)] }'
}
# A column of the last row of docs/bench.md that begins with | $what |
previous() {
	awk -F ' *[|] *' -v what="$what" -v c="$1" '$2 == what { print $c }' "$figures" | tail -n 1
}
# compare NAME UNIT NEW OLD
compare() {
	awk -v name="$1" -v unit="$2" -v new="$3" -v old="$4" 'BEGIN {
		printf "%-8s %8s %s", name, new, unit
		if (old + 0 > 0)
			printf "   %.2f of the previous %s %s", new / old, old, unit
		print ""
	}'
}

seconds=$(median 1)
megabytes=$(median 2)
echo "dbprof --all, $what, median of $runs (at most $limit s)"
compare time s "$seconds" "$(previous 3)"
compare memory MB "$megabytes" "$(previous 4)"

what=rows
"$built/tests/tools/measure-store" "$top/reports/recordings/h100.sqlite.zst" 1000000 "$work" >"$work/rows"
read -r kernel_bytes kernel_ns call_bytes call_ns rate megabytes <"$work/rows"
echo "1,000,000 kernels and 1,000,000 API calls into spools, then into a recording"
compare kernel bytes "$kernel_bytes" "$(previous 3)"
compare kernel ns "$kernel_ns" "$(previous 4)"
compare call bytes "$call_bytes" "$(previous 5)"
compare call ns "$call_ns" "$(previous 6)"
compare written rows/s "$rate" "$(previous 7)"
compare memory MB "$megabytes" "$(previous 8)"
