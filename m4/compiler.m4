# compiler.m4: options for the C compiler and for nvcc.

# DBPROF_WARNINGS(FLAG...)
# ------------------------
# Sets WARN_CFLAGS to those FLAGs that the C compiler knows. --enable-werror makes every warning an error, nvcc's too.
AC_DEFUN([DBPROF_WARNINGS], [
AC_ARG_ENABLE([werror], [AS_HELP_STRING([--enable-werror], [treat warnings as errors])], [], [enable_werror=no])
WARN_CFLAGS=
NVCC_WERROR=
dbprof_saved_CFLAGS=$CFLAGS
for dbprof_flag in $1; do
	AC_MSG_CHECKING([whether $CC takes $dbprof_flag])
	CFLAGS="$dbprof_saved_CFLAGS -Werror $dbprof_flag"
	AC_COMPILE_IFELSE([AC_LANG_SOURCE([int dbprof_variable;])],
		[AC_MSG_RESULT([yes]); WARN_CFLAGS="$WARN_CFLAGS $dbprof_flag"],
		[AC_MSG_RESULT([no])])
done
CFLAGS=$dbprof_saved_CFLAGS
AS_IF([test "x$enable_werror" = xyes], [
	WARN_CFLAGS="$WARN_CFLAGS -Werror"
	NVCC_WERROR="-Werror all-warnings -Xcompiler -Werror"
])
AC_SUBST([WARN_CFLAGS])
AC_SUBST([NVCC_WERROR])
])

# DBPROF_SANITIZERS
# -----------------
# --enable-sanitizers[=LIST] builds everything with the compiler's sanitizers.
AC_DEFUN([DBPROF_SANITIZERS], [
AC_ARG_ENABLE([sanitizers],
	[AS_HELP_STRING([--enable-sanitizers@<:@=LIST@:>@], [build with the compiler's sanitizers (address,undefined)])],
	[], [enable_sanitizers=no])
AS_IF([test "x$enable_sanitizers" = xyes], [enable_sanitizers=address,undefined])
SANITIZER_CFLAGS=
AS_IF([test "x$enable_sanitizers" != xno], [
	SANITIZER_CFLAGS="-fsanitize=$enable_sanitizers -fno-sanitize-recover=all -fno-omit-frame-pointer"
	dbprof_saved_CFLAGS=$CFLAGS
	CFLAGS="$CFLAGS $SANITIZER_CFLAGS"
	AC_MSG_CHECKING([whether $CC links with -fsanitize=$enable_sanitizers])
	AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])], [AC_MSG_RESULT([yes])], [
		AC_MSG_RESULT([no])
		AC_MSG_ERROR([$CC cannot link with -fsanitize=$enable_sanitizers: install its sanitizer libraries, or leave out --enable-sanitizers])
	])
	CFLAGS=$dbprof_saved_CFLAGS
])
AC_SUBST([SANITIZER_CFLAGS])
])

# DBPROF_STATIC_CXX
# -----------------
# Sets PROGRAM_LINKER to the compiler that links programs, and STATIC_CXX to the options that link the C++ runtime in, where its
# static library is installed.
AC_DEFUN([DBPROF_STATIC_CXX], [
STATIC_CXX=
AS_IF([test "x$have_cuda" = xyes], [
	AC_LANG_PUSH([C++])
	dbprof_saved_LDFLAGS=$LDFLAGS
	LDFLAGS="$LDFLAGS -static-libstdc++ -static-libgcc"
	AC_MSG_CHECKING([whether $CXX links its runtime statically])
	AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <string>
#include <cstdio>]], [[return std::printf("%s", std::string(3, 'x').c_str());]])],
		[STATIC_CXX="-static-libstdc++ -static-libgcc"; AC_MSG_RESULT([yes])], [AC_MSG_RESULT([no])])
	LDFLAGS=$dbprof_saved_LDFLAGS
	AC_LANG_POP([C++])
])
AS_IF([test "x$have_cuda" = xyes], [PROGRAM_LINKER='$(CXX)'], [PROGRAM_LINKER='$(CC)'])
AC_SUBST([STATIC_CXX])
AC_SUBST([PROGRAM_LINKER])
])
