# cuda-arch.m4: which GPU architectures the kernels are built for.

# DBPROF_CUDA_ARCH
# ----------------
# Sets CUDA_ARCHS to a sorted list such as "80 90 120" and NVCC_GENCODE to nvcc's options: machine code for each, and
# PTX of the newest for GPUs to come. By default everything that this nvcc can build and the driver, where there is
# one, can run.
AC_DEFUN([DBPROF_CUDA_ARCH], [
AC_ARG_WITH([cuda-arch],
	[AS_HELP_STRING([--with-cuda-arch=native|LIST],
		[build for the GPUs in this machine, or for a list such as 80,90 (default: all that nvcc and the driver know)])],
	[], [with_cuda_arch=all])
CUDA_ARCHS=
NVCC_GENCODE=
AS_IF([test "x$have_cuda" = xyes], [
	AC_MSG_CHECKING([for the architectures of $NVCC])
	dbprof_known=`"$NVCC" --list-gpu-code | sed -n 's/^sm_//p' | sort -nu | tr '\n' ' '`
	AC_MSG_RESULT([$dbprof_known])
	_DBPROF_DRIVER_VERSION
	AS_CASE([$with_cuda_arch],
		[all|yes], [_DBPROF_ARCHS_OF_DRIVER],
		[native], [_DBPROF_ARCHS_NATIVE],
		[dbprof_wanted=`AS_ECHO(["$with_cuda_arch"]) | sed 's/sm_//g' | tr ',;' '  '`])
	AC_MSG_CHECKING([which architectures to build for])
	for dbprof_arch in `printf '%s\n' $dbprof_wanted | sort -nu`; do
		AS_CASE([" $dbprof_known "],
			[*" $dbprof_arch "*], [CUDA_ARCHS="${CUDA_ARCHS:+$CUDA_ARCHS }$dbprof_arch"],
			[AC_MSG_ERROR([nvcc $CUDA_VERSION cannot build for "$dbprof_arch": choose --with-cuda-arch from: $dbprof_known])])
		NVCC_GENCODE="$NVCC_GENCODE -gencode arch=compute_$dbprof_arch,code=sm_$dbprof_arch"
	done
	AS_IF([test -z "$CUDA_ARCHS"], [AC_MSG_ERROR([--with-cuda-arch names no architecture: choose from: $dbprof_known])])
	NVCC_GENCODE="$NVCC_GENCODE -gencode arch=compute_${CUDA_ARCHS##* },code=compute_${CUDA_ARCHS##* }"
	AC_MSG_RESULT([$CUDA_ARCHS])
])
AC_SUBST([CUDA_ARCHS])
AC_SUBST([NVCC_GENCODE])
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
# Sets dbprof_wanted to the architectures of the GPUs in this machine.
AC_DEFUN([_DBPROF_ARCHS_NATIVE], [
AC_MSG_CHECKING([for the GPUs in this machine])
dbprof_wanted=`nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | tr -d '. ' | sort -nu | tr '\n' ' '`
AS_IF([test -z "$dbprof_wanted"],
	[dbprof_wanted=`"$CUDA_ROOT/bin/__nvcc_device_query" 2>/dev/null | tr ',' ' '`])
AS_CASE([$dbprof_wanted], [*@<:@!0-9\ @:>@*|""], [
	AC_MSG_RESULT([none])
	AC_MSG_ERROR([--with-cuda-arch=native finds no GPU in this machine: name its architecture, such as --with-cuda-arch=90])
])
AC_MSG_RESULT([$dbprof_wanted])
])
