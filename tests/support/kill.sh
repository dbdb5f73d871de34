# kill.sh: what kill.test and signals.test share. Four commands with older files in their places, which are ended at random
# moments of their time; KILL_SEED repeats a run.
# shellcheck disable=SC2154 # from init.sh
# shellcheck disable=SC2013,SC2034,SC2086

have_gnuplot || skip "no gnuplot, which a report needs"
kill_at=$built/tests/tools/kill-at
query=$built/tests/tools/query
[ -x "$kill_at" ] || broken "$kill_at is not built"
seed=${KILL_SEED:-$(date +%s)}
echo "KILL_SEED=$seed"
mkdir "$work/tmp" "$work/place" "$work/older" || broken "cannot use $work"
cd "$work/place" || broken "cannot use $work"
TMPDIR=$work/tmp
DBPROF_DATADIR=$top
DBPROF_CUPTI_PATH=$built/tests/stand-in/alone/libcupti.so
export TMPDIR DBPROF_DATADIR DBPROF_CUPTI_PATH
unset CUDA_INJECTION64_PATH NVTX_INJECTION64_PATH DBPROF_TRACE_FOLDER
have_sanitizers && ASAN_OPTIONS=${ASAN_OPTIONS-}:verify_asan_link_order=0 && export ASAN_OPTIONS
for recording in families program; do
	"$built/tests/tools/make-recording" $recording "$work/$recording.sqlite" || broken "cannot make a recording"
done
# What is unpacked to be read is gone with whoever reads it.
"$dbprof" export --format=sqlite.zst "$work/program.sqlite" -o "$work/packed.zst" || broken "cannot compress a recording"
mv "$work/packed.zst" "$work/program.sqlite"
commands=report
if have_cuda; then
	commands="run record trace report"
	shared=$built/tests/dbprof-shared
	for file in "$shared" "$built/tests/stand-in/family.so" "$built/tests/programs/injected"; do
		[ -x "$file" ] || broken "$file is not built"
	done
fi

# on_stand_in COMMAND: the words of a `run` or `record` on the stand-in GPU. `number` makes the recordings differ.
number=0
on_stand_in() {
	echo "env -u DBPROF_CUPTI_PATH LD_LIBRARY_PATH=$built/tests/stand-in/lib $shared $1" \
		"--load=$built/tests/stand-in/family.so --passes=verify,time,trace --runs=1 --seed=$number"
}

# words COMMAND: the command line of each; none of them has blanks, unless the folder has.
words() {
	case $1 in
	run) echo "$(on_stand_in run) -o run" ;;
	record) echo "$(on_stand_in record) -o record.sqlite" ;;
	trace) echo "$dbprof trace -o trace.sqlite -- $built/tests/programs/injected cuda launch 300 sleep 50 launch 10" ;;
	report) echo "$dbprof report $work/program.sqlite -o report" ;;
	esac
}

# at MICROSECONDS process|group SIGNAL COMMAND: runs it; sets status, taken, left. What it started has two minutes to end by
# itself: on a crowded machine that takes seconds.
at() {
	# shellcheck disable=SC2046
	"$kill_at" "$1" "$2" "$3" 120 $slowly $(words "$4") 3>"$work/result" >"$work/out" 2>"$work/err" </dev/null
	read -r status taken left <"$work/result"
	[ "${left%% *}" = 0 ] || fail "$4: processes live on: $left"
}
slowly=

# fp FOLDER: what a report's folder holds, without what is hidden, a recording, or report.json.
fp() {
	fingerprint "$1" | grep -v -e '/\.' -e dbprof.sqlite -e '/report\.json$'
}

# json FOLDER: report.json without the list of files, which for a moment has those of two reports.
json() {
	sed '/^ "files": \[/,/^ \],/d' "$1/report.json"
}

# Older files, and how they looked; and a new report in the place of the older one. Both have files of somebody else's beside them.
older() {
	number=1
	rm -rf run record.sqlite trace.sqlite report
	"$dbprof" report "$work/families.sqlite" -o report >/dev/null || broken "no report"
	echo mine | tee report/mine.txt report/trace-2.json >report/plots/mine.svg
	cp -R report "$work/older/"
	fp report >"$work/report.old" && json report >"$work/json.old"
	for command in $commands; do
		at 0 process 0 "$command"
		[ "$status" -eq 0 ] || broken "$command: status $status: $(cat "$work/err")"
		[ "$command" = report ] || cp -R "$command"* "$work/older/"
	done
	fp report >"$work/report.new" && json report >"$work/json.new"
	[ "$(cat report/mine.txt report/trace-2.json report/plots/mine.svg | uniq)" = mine ] || broken "a report removes files of others"
	cmp -s "$work/report.old" "$work/report.new" && broken "the two reports are the same"
	sort -u "$work/report.old" "$work/report.new" >"$work/report.either"
	put_back report
	see_page
}

# The page that a run finds: it may stay.
see_page() {
	[ ! -d run ] || cksum <run/index.html >"$work/page"
}

put_back() {
	rm -rf "${1:?}"
	cp -R "$work/older/$1" "$1"
}

# how_long COMMAND: of three times that it runs unharmed, the middle one, in microseconds, is in $duration.
how_long() {
	for _ in 1 2 3; do
		at 0 process 0 "$1"
		echo "$taken"
	done | sort -n | sed -n 2p >"$work/duration"
	read -r duration <"$work/duration"
	see_page
}

# recording_is_whole FILE: as it was, or a new one that is sound and that dbprof takes.
recording_is_whole() {
	cmp -s "$1" "$work/older/$1" && return
	[ "$("$query" "$1" 'PRAGMA integrity_check')" = ok ] && "$dbprof" report "$1" -o "$work/taken" >/dev/null 2>"$work/taken.err"
}

# id_of FILE: the report's id in a page or in report.json.
id_of() {
	sed -n -e 's/^<meta name="dbprof-report" content="\(.*\)">$/\1/p' -e 's/^ "id": "\(.*\)",$/\1/p' "$1"
}

# folder_is_whole FOLDER: report.json is, and the page is the one that was there, or a new one of the same report as report.json,
# with all that it names.
folder_is_whole() {
	[ "$("$query" :memory: 'SELECT json_valid(?1)' "@$1/report.json")" = 1 ] && [ -n "$(id_of "$1/report.json")" ] || return 1
	cksum <"$1/index.html" >"$work/page.now"
	cmp -s "$work/page.now" "$work/page" && return
	cp "$work/page.now" "$work/page"
	[ "$(tail -n 1 "$1/index.html")" = '</html>' ] && [ "$(id_of "$1/index.html")" = "$(id_of "$1/report.json")" ] || return 1
	for name in $(grep -oE '(src|href)="[^"#:]+"' "$1/index.html" | cut -d '"' -f 2 | sort -u); do
		[ -e "$1/$name" ] || return 1
	done
}

# names FILE: of a fingerprint.
names() {
	sed 's/^[0-9]* [0-9]* //' "$1"
}

# report_is_whole: each file is the older one or the new one; with an older page no file of the older report is missing, with a
# new page none of the new one, or is an older one.
report_is_whole() {
	fp report >"$work/now" && json report >"$work/json"
	! grep -qvxF -f "$work/report.either" "$work/now" || return 1
	cmp -s "$work/json" "$work/json.old" || cmp -s "$work/json" "$work/json.new" || return 1
	[ "$("$query" :memory: 'SELECT json_valid(?1)' "@report/report.json")" = 1 ] || return 1
	if grep -qxF "$(grep '/index\.html$' "$work/report.new")" "$work/now"; then
		! grep -qvxF -f "$work/now" "$work/report.new" && cmp -s "$work/json" "$work/json.new"
	else
		names "$work/now" >"$work/names"
		! names "$work/report.old" | grep -qvxF -f "$work/names"
	fi
}

# is_whole COMMAND: what it writes is as before, or new; a report is put back as it was, but for what is hidden.
is_whole() {
	case $1 in
	record | trace)
		recording_is_whole "$1.sqlite" || return 1
		cmp -s "$1.sqlite" "$work/older/$1.sqlite" || put_back "$1.sqlite"
		;;
	run)
		recording_is_whole run/dbprof.sqlite && folder_is_whole run
		;;
	report)
		report_is_whole || return 1
		rm -rf report/plots report/[a-z]*
		cp -R "$work/older/report/." report/
		;;
	esac
}

# left_behind: what is there that is neither a recording nor part of a report.
left_behind() {
	find . -mindepth 1 -name '.*' | sort
	find "$TMPDIR" -mindepth 1 | sort
}

# moments N: fractions of a run, as random as the seed and the word given.
moments() {
	awk -v n="$1" -v seed="$seed" -v word="$2" 'BEGIN {
		srand(seed + length(word) * 1000)
		for (i = 0; i < n; i++)
			printf "%.6f\n", rand()
	}'
}
