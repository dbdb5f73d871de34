# cuda-arch.m4: which GPU architectures the kernels are built for.

# DBPROF_CUDA_ARCH
# ----------------
# Sets CUDA_TARGETS to a list such as "sm_90a compute_80": machine code and PTX. A GPU for which there is no machine code runs PTX,
# which its driver compiles at the first start. dbprof_lost_archs tells the other GPUs what they lose, dbprof_own_archs which files
# are built for GPUs of their own.
#
# The default is machine code for the GPUs in this machine, or for compute capability 9.0 where there is none, and PTX of the lowest
# architecture on which every variant that can run there compiles in full: 8.0, which cp.async needs.
AC_DEFUN([DBPROF_CUDA_ARCH], [
AC_ARG_WITH([cuda-arch],
	[AS_HELP_STRING([--with-cuda-arch=native|all|LIST],
		[build for the GPUs in this machine, for all GPUs that nvcc and the driver know, or for a list such as 80,90
		(default: native, or 90a without a GPU)])],
	[], [with_cuda_arch=yes])
CUDA_TARGETS=
AS_IF([test "x$have_cuda" = xyes], [
	AC_MSG_CHECKING([for the architectures of $NVCC])
	dbprof_known=`"$NVCC" --list-gpu-code | sed -n 's/^sm_//p' | sort -nu | tr '\n' ' '`
	AC_MSG_RESULT([$dbprof_known])
	_DBPROF_DRIVER_VERSION
	AS_CASE([$with_cuda_arch],
		[all], [_DBPROF_ARCHS_OF_DRIVER],
		[yes], [_DBPROF_ARCHS_DEFAULT],
		[native], [_DBPROF_ARCHS_NATIVE
			AS_IF([test -z "$dbprof_wanted"],
				[AC_MSG_ERROR([--with-cuda-arch=native finds no GPU in this machine: name its architecture, such as --with-cuda-arch=90])])],
		[dbprof_wanted=`AS_ECHO(["$with_cuda_arch"]) | sed 's/sm_//g' | tr ',;' '  '`])
	AC_MSG_CHECKING([what to build for])
	_DBPROF_CUDA_TARGETS
	AC_MSG_RESULT([$CUDA_TARGETS])
	_DBPROF_LOST_ARCHS
	_DBPROF_OWN_ARCHS
])
AC_DEFINE_UNQUOTED([CUDA_TARGETS], ["$CUDA_TARGETS"], [What the kernels are built for.])
AC_SUBST([CUDA_TARGETS])
])

# _DBPROF_CUDA_TARGETS
# --------------------
# From dbprof_wanted. There is one GPU of major version 9: its machine code may use what only that has ("a").
AC_DEFUN([_DBPROF_CUDA_TARGETS], [
dbprof_newest=
for dbprof_arch in `printf '%s\n' $dbprof_wanted | sort -nu`; do
	dbprof_plain=${dbprof_arch%@<:@af@:>@}
	AS_CASE([" $dbprof_known "],
		[*" $dbprof_plain "*], [],
		[AC_MSG_ERROR([nvcc $CUDA_VERSION cannot build for "$dbprof_arch": choose --with-cuda-arch from: $dbprof_known])])
	AS_CASE([$with_cuda_arch:$dbprof_arch], [all:90|native:90|yes:90], [dbprof_arch=90a])
	CUDA_TARGETS="$CUDA_TARGETS sm_$dbprof_arch"
	dbprof_newest=$dbprof_plain
done
AS_IF([test -z "$dbprof_newest"], [AC_MSG_ERROR([--with-cuda-arch names no architecture: choose from: $dbprof_known])])
dbprof_ptx=$dbprof_newest
AS_CASE([$with_cuda_arch], [native|yes], [dbprof_ptx=80])
CUDA_TARGETS="${CUDA_TARGETS# } compute_$dbprof_ptx"
])

# _DBPROF_LOST_ARCHS
# ------------------
# Sets dbprof_lost_archs to lines for the summary: the GPUs that nvcc knows and this build has no machine code for.
AC_DEFUN([_DBPROF_LOST_ARCHS], [
dbprof_compiled=
dbprof_unsupported=
for dbprof_arch in $dbprof_known; do
	dbprof_runs=no
	AS_IF([test "$dbprof_arch" -ge "$dbprof_ptx"], [dbprof_runs=compiled])
	for dbprof_target in $CUDA_TARGETS; do
		AS_CASE([$dbprof_target],
			[sm_*a], [test "x$dbprof_target" != "xsm_${dbprof_arch}a" || dbprof_runs=yes],
			[sm_*], [
				dbprof_plain=${dbprof_target#sm_}
				dbprof_plain=${dbprof_plain%f}
				test $((dbprof_plain / 10)) -ne $((dbprof_arch / 10)) || test "$dbprof_plain" -gt "$dbprof_arch" || dbprof_runs=yes
			])
	done
	dbprof_arch=`AS_ECHO(["$dbprof_arch"]) | sed 's/.$/.&/'`
	AS_CASE([$dbprof_runs],
		[no], [dbprof_unsupported="$dbprof_unsupported $dbprof_arch"],
		[compiled], [dbprof_compiled="$dbprof_compiled $dbprof_arch"])
done
AS_IF([test -n "$dbprof_compiled"], [dbprof_lost_archs="GPUs of compute capability$dbprof_compiled and newer"], [dbprof_lost_archs="newer GPUs"])
dbprof_lost_archs="                $dbprof_lost_archs: their driver compiles the kernels at the first start"
AS_IF([test -n "$dbprof_unsupported"], [dbprof_lost_archs="$dbprof_lost_archs
                GPUs of compute capability$dbprof_unsupported: not supported by this build"])
AS_IF([test "x$with_cuda_arch" != xall], [dbprof_lost_archs="$dbprof_lost_archs
                --with-cuda-arch=all builds for all that this nvcc knows"])
])

# _DBPROF_OWN_ARCHS
# -----------------
# Sets dbprof_own_archs to lines for the summary: the files whose first line names what they are built for.
AC_DEFUN([_DBPROF_OWN_ARCHS], [
dbprof_own_archs=
for dbprof_file in "$srcdir"/kernels/*.cu; do
	test -f "$dbprof_file" || continue
	dbprof_own=`"$srcdir/build-aux/kernel-targets" "$dbprof_file" ""` || AC_MSG_ERROR([its first line does not say what to build it for])
	test -n "$dbprof_own" || continue
	for dbprof_target in $dbprof_own; do
		dbprof_plain=`AS_ECHO(["$dbprof_target"]) | tr -d 'smaf_'`
		AS_CASE([" $dbprof_known "], [*" $dbprof_plain "*], [],
			[AC_MSG_ERROR([nvcc $CUDA_VERSION cannot build $dbprof_file for $dbprof_target: take a newer CUDA Toolkit])])
	done
	dbprof_own_archs="$dbprof_own_archs
                kernels/${dbprof_file##*/}: for $dbprof_own alone"
done
])

# _DBPROF_DRIVER_VERSION
# ----------------------
# Sets dbprof_driver to the CUDA version of the driver in this machine (1000 * major + 10 * minor), or to 0.
AC_DEFUN([_DBPROF_DRIVER_VERSION], [
AC_MSG_CHECKING([for the CUDA version of the driver here])
dbprof_driver=0
rm -f conftest.driver
AC_RUN_IFELSE([AC_LANG_PROGRAM([[#include <dlfcn.h>
#include <stdio.h>]], [[
	void *lib = dlopen("libcuda.so.1", RTLD_NOW);
	int (*get)(int *) = lib ? (int (*)(int *))dlsym(lib, "cuDriverGetVersion") : 0;
	FILE *out = fopen("conftest.driver", "w");
	int version = 0;

	if (!out || !get || get(&version) != 0 || fprintf(out, "%d\n", version) < 0)
		return 1;
	return fclose(out) != 0;]])],
	[dbprof_driver=`cat conftest.driver`], [], [:])
rm -f conftest.driver
AS_IF([test "$dbprof_driver" -gt 0],
	[AC_MSG_RESULT([$((dbprof_driver / 1000)).$((dbprof_driver % 1000 / 10))])],
	[AC_MSG_RESULT([no driver])])
AS_IF([test "$dbprof_driver" -gt 0 && test $((dbprof_driver / 1000)) -lt ${CUDA_VERSION%%.*}],
	[AC_MSG_WARN([the driver here is older than CUDA $CUDA_VERSION: dbprof will not run on this machine's GPU before it is updated])])
])

# _DBPROF_ARCHS_OF_DRIVER
# -----------------------
# Sets dbprof_wanted to what nvcc knows, less what the driver here cannot run: systems on a chip on anything but their
# own machines, GPUs newer than the driver, and GPUs that drivers have given up (release 590, CUDA 13.1, before Turing).
AC_DEFUN([_DBPROF_ARCHS_OF_DRIVER], [
dbprof_wanted=
for dbprof_arch in $dbprof_known; do
	AS_IF([test "$dbprof_driver" -gt 0], [
		AS_CASE([`uname -m`:$dbprof_arch],
			[aarch64:*], [],
			[*:53|*:62|*:72|*:87|*:101|*:110], [continue])
		AS_CASE([$dbprof_arch], [103|121], [test "$dbprof_driver" -ge 12090 || continue])
		AS_IF([test "$dbprof_arch" -lt 75 && test "$dbprof_driver" -ge 13010], [continue])
	])
	dbprof_wanted="$dbprof_wanted $dbprof_arch"
done
])

# _DBPROF_ARCHS_NATIVE
# --------------------
# Sets dbprof_wanted to the architectures of the GPUs in this machine, or to "".
AC_DEFUN([_DBPROF_ARCHS_NATIVE], [
AC_MSG_CHECKING([for the GPUs in this machine])
dbprof_wanted=`nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | tr -d '. ' | sort -nu | tr '\n' ' '`
AS_IF([test -z "$dbprof_wanted"],
	[dbprof_wanted=`"$CUDA_ROOT/bin/__nvcc_device_query" 2>/dev/null | tr ',' ' '`])
AS_CASE([$dbprof_wanted], [*@<:@!0-9\ @:>@*|""], [dbprof_wanted=])
AC_MSG_RESULT([${dbprof_wanted:-none}])
])

# _DBPROF_ARCHS_DEFAULT
# ---------------------
# Sets dbprof_wanted to those of the GPUs here that this nvcc can build for, or to that of an H100.
AC_DEFUN([_DBPROF_ARCHS_DEFAULT], [
_DBPROF_ARCHS_NATIVE
dbprof_here=$dbprof_wanted
dbprof_wanted=
for dbprof_arch in $dbprof_here; do
	AS_CASE([" $dbprof_known "], [*" $dbprof_arch "*], [dbprof_wanted="$dbprof_wanted $dbprof_arch"])
done
test -n "$dbprof_wanted" || dbprof_wanted=90
])
