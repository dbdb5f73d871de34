# sanitizer.awk: what one run of compute-sanitizer (memcheck, racecheck, synccheck) found, from its output. Each line
# of the result has fields with tabs between:
#     finding KIND FUNCTION PLACE    once for each: an access of a race, an invalid access, a barrier; PLACE is FILE:LINE
#     api CALL ERROR                 a call of CUDA's that failed: no fault of a kernel
#     note TEXT                      what the tool says about itself, such as that it reached a limit
#     summary N                      errors or hazards by its own count; without this line the run did not end
# What it counted and this script does not understand becomes a finding of kind "not understood".

# "void f<(int)8, g<h>>(const float *, T3)+0x1c0" is f; a name in an unnamed namespace loses that.
function name_of(text)
{
	sub(/\+0x[0-9a-f]+$/, "", text)
	gsub(/\(anonymous namespace\)::|<unnamed>::/, "", text)
	sub(/[<(\[].*/, "", text)
	sub(/.* /, "", text)
	return text
}

# "FUNCTION+0x1c0 in FILE:LINE", FILE and LINE only with line tables; of old releases "0x1c0 in FILE:LINE:FUNCTION".
function tell(kind, text, place)
{
	place = "-"
	sub(/ \[[0-9]+ hazards?\]$/, "", text)
	if (text ~ /^0x[0-9a-f]+ in /) {
		sub(/^0x[0-9a-f]+ in /, "", text)
		if (match(text, /^[^ :]+:[0-9]+:/)) {
			place = substr(text, 1, RLENGTH - 1)
			text = substr(text, RLENGTH + 1)
		}
	} else if (match(text, / in [^ ]+:[0-9]+$/)) {
		place = substr(text, RSTART + 4)
		text = substr(text, 1, RSTART - 1)
	}
	sub(/.*\//, "", place)
	found++
	line = "finding\t" kind "\t" name_of(text) "\t" place
	if (!(line in told)) {
		told[line] = 1
		print line
	}
}

# The error that was begun names no place.
function end_kind()
{
	if (kind != "")
		tell(kind, "")
	kind = ""
}

# A line of the tool, also where the program has left its own line without an end.
!/========= ?/ { next }
{
	sub(/\r$/, "")
	sub(/.*=========/, "")
}

/^ (Error|Warning|Info): Race reported between / {
	sub(/.* access at /, "")
	tell("race", $0)
	next
}
/^     and [A-Za-z]+ access at / {
	sub(/^ *and [A-Za-z]+ access at /, "")
	tell("race", $0)
	next
}
/^ (Error|Warning|Info|ERROR|WARN): ?.*Potential [RWA]+ hazard detected/ { next } # its accesses follow
/^     (Write|Read) Thread \(.*\) at / {
	sub(/^.*\) at /, "")
	tell("race", $0)
	next
}

/^ Program hit / {
	call = $0
	sub(/.* on CUDA API call to /, "", call)
	sub(/\.$/, "", call)
	print "api\t" call "\t" $3
	api++
	next
}

/^ (Invalid|Misaligned|Barrier error|Illegal|Fatal|Uninitialized|Malloc|Free|Stack|Out-of-range|Missing) / {
	end_kind()
	kind = substr($0, 2)
	sub(/\.$/, "", kind)
	next
}
kind != "" && /^     at / {
	sub(/^ *at /, "")
	tell(kind, $0)
	kind = ""
	next
}

/^ (ERROR|RACECHECK) SUMMARY: [0-9]+ (errors?|hazards?)( displayed.*)?$/ {
	summaries++
	count += $3
	next
}
/^ (COMPUTE-SANITIZER|LEAK SUMMARY|ERROR SUMMARY)/ { next }
/^ [^ ]/ { print "note\t" substr($0, 2) }

END {
	end_kind()
	if (count > 0 && found + api == 0)
		print "finding\tnot understood\t-\t-"
	if (summaries > 0)
		print "summary\t" count + 0
}
