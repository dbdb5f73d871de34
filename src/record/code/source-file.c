/* source-file.c: see source-file.h. */
#include "record/code/source-file.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool has_source_suffix(const char *path)
{
	static const char *const suffixes[] = {".cu", ".cuh", ".h", ".hh", ".hpp", ".hxx", ".inl", ".c", ".cc", ".cpp",
		".cxx", ".py", ".ptx", ".ll", ".mlir", ".jl", ".f90", ".cuf", ".rs"};
	const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');

	for (size_t i = 0; dot && i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
		if (strcmp(dot, suffixes[i]) == 0)
			return true;
	return false;
}

/* Files in /proc have no size. */
bool source_file_counts(const char *path)
{
	char whole[PATH_MAX];
	struct stat there;

	return realpath(path, whole) && has_source_suffix(whole) && stat(whole, &there) == 0 &&
	       S_ISREG(there.st_mode) && there.st_size > 0 && (size_t)there.st_size <= SOURCE_FILE_MOST;
}
