# fail-whole.sh KIND STATUS: what the tests of failed calls ask of a run that left files, by -x of fail-each, in the run's folder:
# that they are whole, and that what they lack is named. KIND: record, run, trace or report. In the environment: query, a program;
# work, a folder with
#   facts.sql  says what is in a recording: how many rows each table has, and how many values each column
#   facts      what that is, undisturbed
#   names.sql  asks for what a recording says that it lacks
#   named      what that is, undisturbed
#   older      the file or folder that was there before; of run also older-report, its files with their checksums, and names
#   lost.sql   asks how many passes give a reason why they are not done; lost: how many those are, undisturbed
#   undisturbed, out, err  of report: what it makes and says undisturbed; in $older is the folder that was there before, or nothing
#   said       of trace: what the program says, without process numbers; ends: its status
# shellcheck shell=sh disable=SC2013,SC2154
kind=$1 status=$2

# few_lines MOST: what is told are lines of dbprof's own, from one to MOST.
few_lines() {
	lines=$(wc -l <../err)
	[ "$lines" -ge 1 ] && [ "$lines" -le "$1" ] && [ "$(grep -c '^dbprof: ..........' ../err)" -eq "$lines" ] &&
		! grep -Eq '\(null\)|Success' ../err
}

# a_line_for_each FILE: what is told is at most a line for each pass that is not done, and one if all are.
a_line_for_each() {
	lost=$(($("$query" "$1" "$(cat "$work/lost.sql")") - $(cat "$work/lost"))) || return
	few_lines $((lost > 1 ? lost : 1))
}

# loses FILE: whether it lacks something of what it has undisturbed.
loses() {
	"$query" "$1" "$(cat "$work/facts.sql")" >../facts || return
	! cmp -s ../facts "$work/facts"
}

# names FILE: whether a recording says that it lacks something, more than it does undisturbed.
names() {
	"$query" "$1" "$(cat "$work/names.sql")" >../named && ! cmp -s ../named "$work/named"
}

is_sound() {
	[ "$("$query" "$1" 'PRAGMA integrity_check')" = ok ]
}

# whole FILE: the recording is sound, and has all or says what it lacks.
whole() {
	is_sound "$1" || return
	! loses "$1" || names "$1"
}

# The loader's words alone tell why a family cannot be loaded. Where they name another reason than memory, it is the family's fault.
is_load_refused() {
	[ "$status" -eq 2 ] && grep -q ': cannot be loaded: ' ../err
}

# recording_made FILE OLDER: as the status says.
recording_made() {
	if [ "$status" -ne 0 ] && cmp -s "$1" "$2"; then
		few_lines 1
		return
	fi
	whole "$1" && { [ "$status" -eq 0 ] || a_line_for_each "$1"; }
}

recorded() {
	{ [ "$status" -le 1 ] || is_load_refused; } && recording_made recording.sqlite "$work/older"
}

# A page that ends, and the files that it names.
is_page() {
	[ "$(tail -n 1 "$1/index.html")" = '</html>' ] || return
	for name in $(grep -oE '(src|href)="[^"#:]+"' "$1/index.html" | cut -d '"' -f 2 | sort -u); do
		[ -e "$1/$name" ] || return
	done
}

# A report is a new one with all of its files, or where it failed the older page, whatever is beside it; where a pass failed, with those that it names.
reported() {
	(cd report && find . -type f ! -name dbprof.sqlite | sort | xargs cksum) >../report
	[ "$status" -eq 0 ] || ! cmp -s report/index.html "$work/older/index.html" || return 0
	! cmp -s report/index.html "$work/older/index.html" && is_page report || return
	[ "$status" -eq 1 ] || awk '{ print $3 }' ../report | cmp -s - "$work/names"
}

ran() {
	{ [ "$status" -le 1 ] || is_load_refused; } && reported && recording_made report/dbprof.sqlite "$work/older/dbprof.sqlite"
}

# json FILE: report.json without the list of files, which for a moment has those of two reports.
json() {
	sed '/^ "files": \[/,/^ \],/d' "$1"
}

# A report that is made is what it is undisturbed. One that fails says so in a line. Where none was, there is none then, or all of it;
# else the page may be the older one, and each other file that or the new one.
replaced() {
	new=$work/undisturbed/report
	if [ "$status" -eq 0 ]; then
		diff -r report "$new" >/dev/null && cmp -s ../out "$work/out" && cmp -s ../err "$work/err"
		return
	fi
	[ "$status" -eq 1 ] && few_lines 1 || return
	[ -e report ] || { [ -z "$older" ] && return; } || return
	diff -r report "$new" >/dev/null && return
	json report/report.json >../json
	# The last step takes the names of the older report's files off the list. All else is in place when it fails.
	diff -r -x report.json report "$new" >/dev/null && json "$new/report.json" | cmp -s - ../json && return
	cmp -s report/index.html "$older/index.html" || return
	json "$older/report.json" | cmp -s - ../json || json "$new/report.json" | cmp -s - ../json || return
	for name in $(cd report && find . -type f ! -name report.json); do
		cmp -s "report/$name" "$older/$name" || cmp -s "report/$name" "$new/$name" || return
	done
}

# The traced program has done what it does, or was not started at all. Where CUPTI refuses a profiler of its own, it ends with 98.
traced() {
	few_lines 3 || return
	sed 's/^process [0-9]*/process/' ../out >../said
	if [ ! -s ../said ] && { [ "$status" -eq 1 ] || [ "$status" -eq 126 ] || [ "$status" -eq 127 ]; }; then
		few_lines 1 && cmp -s trace.sqlite "$work/older"
		return
	fi
	if [ ! -s ../said ] && [ "$status" -eq 98 ]; then
		is_sound trace.sqlite
		return
	fi
	[ "$status" -eq "$(cat "$work/ends")" ] || [ "$status" -eq 1 ] || return
	cmp -s ../said "$work/said" || return
	if cmp -s trace.sqlite "$work/older"; then
		few_lines 1
	else
		whole trace.sqlite
	fi
}

case $kind in
record) recorded ;;
run) ran ;;
trace) traced ;;
report) replaced ;;
esac
