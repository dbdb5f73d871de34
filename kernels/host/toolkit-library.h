/* toolkit-library.h: opens a library of CUDA's toolkit when it is asked for, so that dbprof neither needs it nor starts
 * slower for it. */
#ifndef DBPROF_KERNELS_TOOLKIT_LIBRARY_H
#define DBPROF_KERNELS_TOOLKIT_LIBRARY_H

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/* In the folder `lib`, as in "/lib64/", of `root`; where the loader looks if both are empty. */
static inline void *toolkit_library_in(const char *root, const char *lib, const char *name)
{
#if CUDART_VERSION >= 13000
	static const char *const versions[] = {".13", ".12", ""};
#else
	static const char *const versions[] = {".12", ".13", ""};
#endif
	void *library = NULL;
	char path[PATH_MAX];

	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]) && !library; i++) {
		if (snprintf(path, sizeof(path), "%s%slib%s.so%s", root, lib, name, versions[i]) < (int)sizeof(path))
			library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	}
	return library;
}

/* The library `name`, as in "cublas": where the loader looks, then in the toolkit, which is often installed without
 * being known to the loader. NULL if it is not found. It is never closed. */
static inline void *toolkit_library(const char *name)
{
	static const char *const in_toolkit[] = {
		"/lib64/", "/lib/", "/targets/x86_64-linux/lib/", "/targets/sbsa-linux/lib/"};
	const char *const roots[] = {getenv("CUDA_HOME"), "/usr/local/cuda"};
	void *library = toolkit_library_in("", "", name);

	for (size_t r = 0; r < sizeof(roots) / sizeof(roots[0]) && !library; r++) {
		if (!roots[r] || !*roots[r])
			continue;
		for (size_t i = 0; i < sizeof(in_toolkit) / sizeof(in_toolkit[0]) && !library; i++)
			library = toolkit_library_in(roots[r], in_toolkit[i], name);
	}
	return library;
}

#endif
