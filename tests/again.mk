# again.mk: for GNU make: which tests CI leaves out of the builds behind the first (DBPROF_TESTS=again, see tests/support/tiers.sh). A test
# that is not named here runs in each of them. `make check-long` leaves out none.
ifeq ($(DBPROF_TESTS),again)
# What neither a compiler nor a folder changes: pages in a browser, kills, what configure says, texts.
once_tests = \
	tests/advise/points.test tests/build/targets.test tests/configure.test tests/fail-gnuplot.test tests/kill.test tests/page.test \
	tests/page/behaviour.test tests/page/checkers.test tests/rooms.test tests/sanitizer.test tests/share/interrupt.test \
	tests/share/prediction-table.test tests/signals.test
ifneq ($(SANITIZER_CFLAGS),)
# Each process takes ten times as long to start. All tests but these reach 99.0 % of the blocks of code that all together reach.
once_tests += \
	tests/contrast/command.test tests/contrast/counters.test tests/contrast/gpus.test tests/contrast/stalls.test tests/export/files.test \
	tests/export/work.test tests/fail-gpu.test tests/fail-record.test tests/fail-system.test tests/lacking.test tests/limits.test \
	tests/outdir.test tests/overlap-independent.test tests/share/many.test tests/share/redact.test tests/share/schema.test \
	tests/threads.test
else
# The tarball's sources are those that the first build's tests have read. Here are a second compiler and read-only sources.
once_tests += \
	tests/cuda-sim/estimates.test tests/export/files.test tests/export/trace.test tests/export/work.test tests/fail-system.test \
	tests/hostile.test tests/hostile-files.test tests/limits.test tests/share/many.test tests/share/part.test tests/share/redact.test \
	tests/share/report-size.test tests/size.test tests/threads.test
endif
TESTS := $(filter-out $(once_tests),$(TESTS))
endif
