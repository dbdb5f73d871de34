# fail-cases.awk: the log of tests/stand-in/libfail.so in, the failures to try out, as tests/tools/fail-each takes them: the
# first and the last call from each site. -v most=N: no more than N of each function and way, chosen evenly; by site, six times
# as many of those for memory, which are most of all.
# -v by_site=1: by call site, for commands of more than one process, in each of which the calls are counted anew.
#
# How often a child is listened to depends on the time, and how often dbprof asks how busy the machine is: those calls are always
# named by their site. openat() is called to
# remove what is left over: what cannot be removed stays.
BEGIN {
	codes["malloc"] = "12 12+"
	codes["write"] = codes["pwrite"] = codes["pwrite64"] = codes["writev"] = "5 28+ short"
	codes["fsync"] = codes["fdatasync"] = codes["ftruncate"] = codes["ftruncate64"] = "5 28"
	codes["rename"] = codes["renameat"] = codes["renameat2"] = codes["linkat"] = "5 28"
	codes["open"] = codes["open64"] = codes["openat"] = codes["openat64"] = codes["fopen"] = "5 24"
	codes["open-create"] = codes["open64-create"] = codes["openat-create"] = codes["openat64-create"] = "13 24 28"
	codes["mkdir"] = codes["mkdirat"] = codes["mkdtemp"] = codes["mkstemp"] = codes["memfd_create"] = "24 28"
	codes["mmap"] = codes["mmap64"] = codes["open_memstream"] = codes["realpath"] = codes["dlopen"] = "12"
	codes["posix_spawnp"] = codes["fork"] = codes["pthread_create"] = "11 12"
	codes["pipe2"] = codes["fdopen"] = codes["opendir"] = codes["dup2"] = "24"
	# EINTR is no failure, but what is interrupted has to be done again.
	codes["poll"] = "4 12"
	codes["flock"] = "4 37"
	codes["waitpid"] = "4 10"
	codes["read"] = "4 5"
}

function add(name, n, place, code,    k) {
	k = name " " code
	k = k SUBSEP total[k]++
	line[k] = named ? sprintf("FAIL_CALL=%s@%s:%s:%s", name, place, n, code) : \
		sprintf("FAIL_CALL=%s:%s:%s", name, n, code)
}

$1 == "openat" {
	next
}

{
	named = by_site || $1 ~ /^(open|open64|read|poll|waitpid)$/
	n = split($1 in codes ? codes[$1] : "5", list, " ")
	for (i = 1; i <= n; i++) {
		if (named && ($2, list[i], $1) in seen)
			continue
		seen[$2, list[i], $1] = 1
		add($1, named ? 1 : $3, $2, list[i])
		if ($5 > 1)
			add($1, named ? 2 : $4, $2, list[i])
	}
}

END {
	for (k in total) {
		tried = by_site && k ~ /^malloc / ? 6 * most : most
		step = tried > 0 && total[k] > tried ? total[k] / tried : 1
		for (i = 0; i < total[k]; i += step)
			print line[k, int(i)]
	}
}
