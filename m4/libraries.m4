# libraries.m4: the C libraries that dbprof is built with.

# DBPROF_LIBRARIES
# ----------------
# SQLite, jansson, libzstd (recordings are passed on compressed) and zlib (so are packets of Perfetto) are needed; what is missing is named in one line with Debian's packages. cmocka is for the unit tests.
AC_DEFUN([DBPROF_LIBRARIES], [
PKG_PROG_PKG_CONFIG
AS_IF([test -z "$PKG_CONFIG"],
	[AC_MSG_ERROR([pkg-config is missing: install it (Debian: apt-get install pkg-config)])])
dbprof_missing=
PKG_CHECK_MODULES([SQLITE], [sqlite3 >= 3.24], [], [dbprof_missing="$dbprof_missing libsqlite3-dev"])
PKG_CHECK_MODULES([JANSSON], [jansson >= 2.10], [], [dbprof_missing="$dbprof_missing libjansson-dev"])
PKG_CHECK_MODULES([ZSTD], [libzstd >= 1.4], [], [dbprof_missing="$dbprof_missing libzstd-dev"])
PKG_CHECK_MODULES([ZLIB], [zlib >= 1.2.3], [], [dbprof_missing="$dbprof_missing zlib1g-dev"])
AS_IF([test -n "$dbprof_missing"],
	[AC_MSG_ERROR([libraries are missing: install them (Debian: apt-get install$dbprof_missing)])])
PKG_CHECK_MODULES([CMOCKA], [cmocka >= 1.1], [have_cmocka=yes], [have_cmocka=no])
AM_CONDITIONAL([HAVE_CMOCKA], [test "x$have_cmocka" = xyes])
])
