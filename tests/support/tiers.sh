# tiers.sh: how much of what can be tried without end a test tries. DBPROF_TESTS chooses it; each number can be set by itself too.
#
#   quick   `make check`: a sample of everything, within minutes
#   again   .ci/run, of other builds of a tree of which one was checked: a sample, without the tests that again.mk names
#   ci      .ci/run, once: more of it
#   long    `make check-long`: all hostile names, all calls that can fail, 50 kills a command, minutes of fuzzing
# Unit tests try a sample in quick and again (tests/fixtures/tier.h).
#
# shellcheck disable=SC2034 # for the tests

: "${DBPROF_TESTS:=quick}"
case $DBPROF_TESTS in
quick) set -- 4 3 24 12 rotating 0 some 0 50 ;;
again) set -- 3 3 24 12 rotating 0 none 0 50 ;;
ci) set -- 12 8 12 4 rotating 2 all 1000000 250 ;;
long) set -- 50 20 1 1 all 60 all 4000000 1000 ;;
*)
	echo "ERROR: DBPROF_TESTS is '$DBPROF_TESTS': choose quick, again, ci or long"
	exit 99
	;;
esac

# For the table in docs/robustness.md.
[ "$DBPROF_TESTS" = quick ] || [ "$DBPROF_TESTS" = again ] || echo "COMMAND: DBPROF_TESTS=$DBPROF_TESTS make check TESTS=tests/${0##*tests/}"

# Kills and signals at random moments, of each command.
: "${KILLS:=$1}" "${SIGNALS:=$2}"
# Of 48 hostile texts each so-manieth is put into places of each kind; 1: each text into each place.
: "${HOSTILE_STEP:=$3}"
# One in so many of the calls and ways that are made to fail. DBPROF_FAIL_MOST bounds how many of each function are: 0: all.
: "${FAIL_PART:=$4}"
[ "$DBPROF_TESTS" != long ] || : "${DBPROF_FAIL_MOST=0}"
# Whether each hostile file is read by all commands, or by one and another by turns.
: "${HOSTILE_READERS:=$5}"
# Seconds for each fuzz target; 0: inputs that were found before are replayed.
: "${FUZZ_TEST_SECONDS:=$6}"
# Whether all pages are opened in a browser, or some, or none: a build does not change what happens there.
: "${PAGES:=$7}"
# Device events of the largest export that is measured, beside smaller ones; 0: only those.
: "${SIZE_EVENTS:=$8}"
# Random programs that are simulated, beside those with names.
: "${SIMULATED:=$9}"
