# fail-codes.awk: the log of the stand-in GPU (docs/stand-in.md) in, sorted and each place once; out the failures to try out, as
# tests/tools/fail-each takes them, with codes that each interface has: no memory, an illegal access, something unknown; not
# initialised, not allowed. -v most=N: no more than N, chosen evenly.
function add(code) {
	line[n++] = "STAND_IN_FAIL=" $1 "@" $2 ":1:" code
}
/^cuda|^cu[A-Z]/ && !/^cupti/ { add(2); add(700); add(999) }
/^cupti/ { add(15); add(35); add(999) }
/^nvml/ { add(3); add(999) }
END {
	step = most > 0 && n > most ? n / most : 1
	for (i = 0; i < n; i += step)
		print line[int(i)]
}
