# again.mk: for GNU make: which tests CI leaves out of `make check` in the builds behind the first (DBPROF_TESTS=again, see
# tests/support/tiers.sh). A test that is not named here runs in each of these. `make check-long` leaves out none.
ifeq ($(DBPROF_TESTS),again)
# They try pages in a browser, kills, what configure says, texts: the first build's files, in its folder, are enough for CI.
once_tests = \
	tests/advise/points.test tests/build/targets.test tests/configure.test tests/kill.test tests/page.test tests/page/behaviour.test \
	tests/page/checkers.test tests/rooms.test tests/sanitizer.test tests/share/interrupt.test tests/share/prediction-table.test \
	tests/signals.test
ifneq ($(SANITIZER_CFLAGS),)
# A process takes ten times as long to start. All tests but these and those above reach 99.0 % of the blocks of code that all reach. Those
# in which calls fail stay: there is what can leak.
once_tests += \
	tests/contrast/command.test tests/contrast/counters.test tests/contrast/gpus.test tests/contrast/stalls.test tests/export/files.test \
	tests/export/work.test tests/lacking.test tests/limits.test tests/outdir.test tests/overlap-independent.test tests/share/many.test \
	tests/share/redact.test tests/share/schema.test tests/threads.test
else
# The first build has read the same files. Here are a second compiler, sources that cannot be written, and no CUDA.
once_tests += \
	tests/cuda-sim/estimates.test tests/export/files.test tests/export/trace.test tests/export/work.test tests/fail-gnuplot.test \
	tests/hostile.test tests/hostile-files.test tests/share/many.test tests/share/part.test tests/share/redact.test \
	tests/share/report-size.test tests/size.test tests/threads.test
endif
TESTS := $(filter-out $(once_tests),$(TESTS))
endif
