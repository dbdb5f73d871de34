# bench-size.sh: `make bench-size EVENTS=N GPUS=G THREADS=T`: what the report of an export with N device events takes, held against
# a plain scan of the same columns in the same run; then its busy times against a sweep of their own. docs/size.md keeps the figures.
# SHAPE is one of make-export.c's. EXPORT names a file that is used again if it is there, and stays. DBPROF is another program to
# measure, such as one of an older version.
. "${srcdir:-.}/tests/init.sh"
. "$top/tests/support/size.sh"
set -e

events=${EVENTS:-1000000} gpus=${GPUS:-8} threads=${THREADS:-$(nproc)} shape=${SHAPE:-plain}
dbprof=${DBPROF:-$dbprof}
file=${EXPORT:-$work/large.sqlite}

make_size_export "$events" "$gpus" "$shape" "$file"
# Reading once brings the file into memory, as far as there is room.
cat "$file" >/dev/null
measure_report "$events" "$file" "$threads"
# shellcheck disable=SC2154 # make_size_export sets them
echo "$events device events ($kernels kernels, $copies copies), $calls calls, $ranges ranges; $gpus GPUs, $threads threads, $shape"
size_table "$events"
"$built/tests/tools/check-busy" "$file" "$work/report/report.json"
