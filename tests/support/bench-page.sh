# bench-page.sh: `make bench-page`: what the report of the recording that ships costs its reader here, as a table: bytes, elements,
# paper, and medians of nine times. docs/bench.md keeps some.
. "${srcdir:-.}/tests/init.sh"
set -e

"$dbprof" report "$top/reports/recordings/h100.sqlite.zst" -o "$work/report" >/dev/null
"$NODE" "$top/tests/support/budget.mjs" "$work/report/index.html" times
