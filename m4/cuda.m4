# cuda.m4: finds a CUDA Toolkit that dbprof can be built with: nvcc, the static runtime, CUPTI and NVTX headers.

# DBPROF_CUDA(OLDEST)
# -------------------
# Sets have_cuda to yes or no and why_no_cuda to the reason. With yes: NVCC, CUDA_ROOT, CUDA_VERSION, CUDA_CPPFLAGS,
# CUDA_LIBS, and CUPTI_LIBRARY in config.h. A toolkit that is there, but too old or incomplete, ends configure with one
# line: whoever installed it meant it to be used.
AC_DEFUN([DBPROF_CUDA], [
AC_ARG_WITH([cuda],
	[AS_HELP_STRING([--with-cuda=DIR],
		[CUDA Toolkit, $1 or later (default: $CUDA_HOME, $CUDA_PATH, nvcc in PATH, /usr/local/cuda)])
AS_HELP_STRING([--without-cuda], [a dbprof that reports, but cannot record])],
	[], [with_cuda=check])
AC_ARG_VAR([NVCC_CCBIN], [host compiler for nvcc (default: the C++ compiler)])
have_cuda=no
NVCC=
CUDA_ROOT=
CUDA_VERSION=
AS_IF([test "x$with_cuda" = xno],
	[why_no_cuda="configured --without-cuda"],
	[_DBPROF_FIND_NVCC([$1])])
AS_IF([test -n "$NVCC"], [
	have_cuda=yes
	_DBPROF_CUDA_FILES
	_DBPROF_NVCC_WORKS
])
AC_SUBST([NVCC])
AC_SUBST([CUDA_ROOT])
AC_SUBST([CUDA_VERSION])
AC_SUBST([CUDA_CPPFLAGS])
AC_SUBST([CUDA_LIBS])
AM_CONDITIONAL([HAVE_CUDA], [test "x$have_cuda" = xyes])
])

# _DBPROF_FIND_NVCC(OLDEST)
# -------------------------
# The first nvcc that is new enough. An old one ends configure only if no other is left.
AC_DEFUN([_DBPROF_FIND_NVCC], [
AS_CASE([$with_cuda],
	[yes|check], [
		AC_PATH_PROG([dbprof_path_nvcc], [nvcc])
		dbprof_candidates="${CUDA_HOME:+$CUDA_HOME/bin/nvcc} ${CUDA_PATH:+$CUDA_PATH/bin/nvcc}"
		dbprof_candidates="$dbprof_candidates $dbprof_path_nvcc /usr/local/cuda/bin/nvcc"
	],
	[dbprof_candidates=$with_cuda/bin/nvcc])
AC_MSG_CHECKING([for a CUDA Toolkit, $1 or later])
dbprof_old=
for dbprof_nvcc in $dbprof_candidates; do
	test -x "$dbprof_nvcc" || continue
	dbprof_version=`"$dbprof_nvcc" --version | sed -n 's/.*release \(@<:@0-9@:>@*\.@<:@0-9@:>@*\).*/\1/p'`
	AS_VERSION_COMPARE([${dbprof_version:-0}], [$1],
		[test -n "$dbprof_old" || dbprof_old="${dbprof_version:-an unknown version} ($dbprof_nvcc)"],
		[NVCC=$dbprof_nvcc], [NVCC=$dbprof_nvcc])
	test -z "$NVCC" || break
done
AS_IF([test -n "$NVCC"], [
		CUDA_VERSION=$dbprof_version
		# nvcc may be a link or a wrapper elsewhere: it knows its own root.
		CUDA_ROOT=`"$NVCC" --dryrun none.cu 2>&1 | sed -n 's/^#$ TOP=//p'`
		CUDA_ROOT=`cd "${CUDA_ROOT:-$(dirname "$NVCC")/..}" && pwd`
		AC_MSG_RESULT([$CUDA_VERSION in $CUDA_ROOT])
	], [test -n "$dbprof_old"], [
		AC_MSG_RESULT([no])
		AC_MSG_ERROR([CUDA Toolkit $1 or later is needed, found $dbprof_old: install a newer one and name it by --with-cuda=DIR, or configure --without-cuda])
	], [test "x$with_cuda" != xcheck], [
		AC_MSG_RESULT([no])
		dbprof_candidates=`echo $dbprof_candidates`
		AC_MSG_ERROR([there is no $dbprof_candidates: install the CUDA Toolkit, $1 or later, or configure --without-cuda])
	], [
		AC_MSG_RESULT([no])
		why_no_cuda="no CUDA Toolkit found"
	])
])

# _DBPROF_CUDA_FILE(VARIABLE, FILE, PACKAGE, FOLDER...)
# -----------------------------------------------------
# Sets VARIABLE to the first FOLDER, taken from $CUDA_ROOT, that has FILE, or ends configure.
AC_DEFUN([_DBPROF_CUDA_FILE], [
AC_MSG_CHECKING([for $2])
$1=
for dbprof_dir in $4; do
	AS_IF([test -f "$dbprof_dir/$2"], [$1=$dbprof_dir; break])
done
AS_IF([test -n "$$1"], [AC_MSG_RESULT([$$1])], [
	AC_MSG_RESULT([no])
	AC_MSG_ERROR([the CUDA Toolkit in $CUDA_ROOT lacks $2: install its package $3, or configure --without-cuda])
])
])

# _DBPROF_CUDA_FILES
# ------------------
# NVIDIA's installers and others differ in where they put things; all of the folders are tried.
AC_DEFUN([_DBPROF_CUDA_FILES], [
dbprof_packages=`AS_ECHO(["$CUDA_VERSION"]) | tr . -`
dbprof_target=$CUDA_ROOT/targets/`uname -m`-linux
dbprof_include="$CUDA_ROOT/include $dbprof_target/include $CUDA_ROOT/targets/sbsa-linux/include"
dbprof_lib="$CUDA_ROOT/lib64 $CUDA_ROOT/lib $dbprof_target/lib $CUDA_ROOT/targets/sbsa-linux/lib"
_DBPROF_CUDA_FILE([dbprof_cudart_include], [cuda_runtime_api.h], [cuda-cudart-dev-$dbprof_packages], [$dbprof_include])
_DBPROF_CUDA_FILE([dbprof_cudart_lib], [libcudart_static.a], [cuda-cudart-dev-$dbprof_packages], [$dbprof_lib])
_DBPROF_CUDA_FILE([dbprof_nvtx_include], [nvtx3/nvToolsExt.h], [cuda-nvtx-$dbprof_packages], [$dbprof_include])
_DBPROF_CUDA_FILE([dbprof_cupti_include], [cupti.h], [cuda-cupti-dev-$dbprof_packages],
	[$CUDA_ROOT/extras/CUPTI/include $dbprof_include])
_DBPROF_CUDA_FILE([dbprof_cupti_lib], [libcupti.so], [cuda-cupti-dev-$dbprof_packages],
	[$CUDA_ROOT/extras/CUPTI/lib64 $dbprof_lib])
AC_DEFINE_UNQUOTED([CUPTI_LIBRARY], ["$dbprof_cupti_lib/libcupti.so"], [CUPTI of the CUDA Toolkit, for dlopen().])
AC_DEFINE([HAVE_CUDA], [1], [Define to 1 if dbprof can record.])
CUDA_CPPFLAGS=
for dbprof_dir in $dbprof_cudart_include $dbprof_nvtx_include $dbprof_cupti_include; do
	AS_CASE([" $CUDA_CPPFLAGS "], [*" -isystem $dbprof_dir "*], [], [CUDA_CPPFLAGS="$CUDA_CPPFLAGS -isystem $dbprof_dir"])
done
CUDA_LIBS="-L$dbprof_cudart_lib -lcudart_static -lpthread -ldl -lrt"
])

# _DBPROF_NVCC_WORKS
# ------------------
# Compiles and links a kernel: the commonest fault is a host compiler that this nvcc does not know yet.
AC_DEFUN([_DBPROF_NVCC_WORKS], [
AS_IF([test -z "$NVCC_CCBIN"], [NVCC_CCBIN=${CXX%% *}])
AC_MSG_CHECKING([whether nvcc works with $NVCC_CCBIN])
cat >conftest.cu <<'_DBPROF_EOF'
__global__ void fill(int *out) { out[[threadIdx.x]] = 1; }
int main(void) { fill<<<1, 32>>>(nullptr); return 0; }
_DBPROF_EOF
AS_IF([AC_RUN_LOG(["$NVCC" -ccbin "$NVCC_CCBIN" -c conftest.cu -o conftest.$ac_objext >&AS_MESSAGE_LOG_FD 2>&1 &&
		$CXX -o conftest$ac_exeext conftest.$ac_objext $CUDA_LIBS >&AS_MESSAGE_LOG_FD 2>&1])],
	[AC_MSG_RESULT([yes])],
	[AC_MSG_RESULT([no])
	AC_MSG_ERROR([$NVCC cannot build a kernel with $NVCC_CCBIN (see config.log): set NVCC_CCBIN and CXX to a g++ that CUDA $CUDA_VERSION supports, or configure --without-cuda])])
rm -f conftest.cu conftest.$ac_objext conftest$ac_exeext
])
