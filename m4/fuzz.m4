# fuzz.m4: a clang that the fuzzers can be built with.

# DBPROF_FUZZER
# -------------
# Sets FUZZ_CC to a clang that links with libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer, or to nothing: the
# tests then replay the fuzzers' inputs with the ordinary compiler and invent no new ones.
AC_DEFUN([DBPROF_FUZZER], [
AC_ARG_VAR([FUZZ_CC], [clang for the fuzzers; "no" for none (default: the first one in PATH that has libFuzzer)])
AS_IF([test "x$FUZZ_CC" = xno], [FUZZ_CC=], [
	AC_PATH_PROGS([FUZZ_CC], [clang clang-22 clang-21 clang-20 clang-19 clang-18 clang-17 clang-16 clang-15 clang-14])
])
AS_IF([test -n "$FUZZ_CC"], [
	dbprof_saved_CC=$CC
	dbprof_saved_CFLAGS=$CFLAGS
	CC=$FUZZ_CC
	CFLAGS="-fsanitize=fuzzer,address,undefined"
	AC_MSG_CHECKING([whether $FUZZ_CC links with libFuzzer])
	AC_LINK_IFELSE([AC_LANG_SOURCE([[#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return size > 4096 && data[0] == 1;
}]])], [AC_MSG_RESULT([yes])], [AC_MSG_RESULT([no]); FUZZ_CC=])
	CC=$dbprof_saved_CC
	CFLAGS=$dbprof_saved_CFLAGS
])
AC_SUBST([FUZZ_CC])
])
