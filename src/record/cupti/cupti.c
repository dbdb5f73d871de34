/* cupti.c: finds and loads CUPTI. See cupti.h. */
#include "config.h"

#include "record/cupti/cupti.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const in_toolkit[] = {"extras/CUPTI/lib64/libcupti.so", "lib64/libcupti.so", "lib/libcupti.so",
	"targets/x86_64-linux/lib/libcupti.so", "targets/sbsa-linux/lib/libcupti.so"};

/* The name of the first function that is missing, or NULL. */
static const char *load_functions(struct cupti *cupti)
{
	/* ISO C has no cast from the address of an object to that of a function; POSIX recommends this form. */
	/* clang-format off */
#define LOAD(name) \
	*(void **)&cupti->name = dlsym(cupti->handle, #name); \
	if (!cupti->name) \
		return #name;
	CUPTI_FUNCTIONS(LOAD)
#undef LOAD
	/* clang-format on */
	*(void **)&cupti->cuptiActivityEnableDriverApi = dlsym(cupti->handle, "cuptiActivityEnableDriverApi");
	*(void **)&cupti->cuptiActivityRegisterTimestampCallback =
		dlsym(cupti->handle, "cuptiActivityRegisterTimestampCallback");
	*(void **)&cupti->cuptiFinalize = dlsym(cupti->handle, "cuptiFinalize");
	*(void **)&cupti->cuptiActivitySetAttribute = dlsym(cupti->handle, "cuptiActivitySetAttribute");
	return NULL;
}

/* The file that the library was loaded from. */
static void find_path(struct cupti *cupti, const char *name)
{
	struct link_map *map = NULL;

	if (dlinfo(cupti->handle, RTLD_DI_LINKMAP, &map) != 0 || map->l_name[0] == '\0' ||
		!realpath(map->l_name, cupti->path))
		snprintf(cupti->path, sizeof(cupti->path), "%s", name);
}

/* Whether this CUPTI lays out its records as the headers say. From 13.0 on the last two digits of a version are the
 * update. */
static bool new_enough(uint32_t version)
{
	const uint32_t built = CUPTI_API_VERSION;

	return version >= 100000 && built >= 100000 ? version / 100 >= built / 100 : version >= built;
}

static bool cupti_in_list(const char *tried, const char *name)
{
	size_t length = strlen(name);

	for (const char *p = tried; (p = strstr(p, name)); p += length)
		if ((p == tried || p[-1] == ' ') && p[length] == ' ')
			return true;
	return false;
}

/* Appends "name (why)" to the list of files that were tried. */
static void cupti_note(char *tried, size_t size, const char *name, const char *why)
{
	size_t used = strlen(tried);

	if (!cupti_in_list(tried, name))
		snprintf(tried + used, size - used, "%s%s (%s)", used == 0 ? "" : ", ", name, why);
}

static bool try_file(struct cupti *cupti, const char *name, char *tried, size_t size)
{
	const char *missing;

	*cupti = (struct cupti){.handle = dlopen(name, RTLD_NOW | RTLD_LOCAL)};
	if (!cupti->handle) {
		cupti_note(tried, size, name, access(name, F_OK) == 0 ? "cannot be loaded" : "not found");
		return false;
	}
	missing = load_functions(cupti);
	if (!missing && cupti->cuptiGetVersion(&cupti->version) == CUPTI_SUCCESS && new_enough(cupti->version)) {
		find_path(cupti, name);
		return true;
	}
	cupti_note(tried, size, name, "too old");
	dlclose(cupti->handle);
	cupti->handle = NULL;
	return false;
}

static bool try_toolkit(struct cupti *cupti, const char *root, char *tried, size_t size)
{
	char path[PATH_MAX];

	if (!root || *root == '\0')
		return false;
	for (size_t i = 0; i < sizeof(in_toolkit) / sizeof(in_toolkit[0]); i++) {
		if (snprintf(path, sizeof(path), "%s/%s", root, in_toolkit[i]) < (int)sizeof(path) &&
			try_file(cupti, path, tried, size))
			return true;
	}
	return false;
}

static const char *const names[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so"};

bool cupti_is_file(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	return (strncmp(name, "libcupti.", 9) == 0 || strncmp(name, "libcupti-", 9) == 0) && strstr(name, ".so");
}

/* The path of a CUPTI that is loaded, whatever its name. */
static int find_loaded(struct dl_phdr_info *object, size_t size, void *path)
{
	size_t length = strlen(object->dlpi_name);

	(void)size;
	if (!cupti_is_file(object->dlpi_name) || length >= PATH_MAX)
		return 0;
	memcpy(path, object->dlpi_name, length + 1);
	return 1;
}

/* A program may bring its own CUPTI, and two of them in a process disturb each other. */
static bool try_loaded(struct cupti *cupti, char *tried, size_t size)
{
	char path[PATH_MAX] = "";

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		void *loaded = dlopen(names[i], RTLD_LAZY | RTLD_NOLOAD);

		if (loaded && try_file(cupti, names[i], tried, size)) {
			dlclose(loaded);
			return true;
		}
		if (loaded)
			dlclose(loaded);
	}
	dl_iterate_phdr(find_loaded, path);
	return *path != '\0' && try_file(cupti, path, tried, size);
}

static bool try_all(struct cupti *cupti, char *tried, size_t size)
{
	if (try_loaded(cupti, tried, size))
		return true;

#ifdef CUPTI_LIBRARY
	if (try_file(cupti, CUPTI_LIBRARY, tried, size))
		return true;
#endif
	if (try_toolkit(cupti, getenv("CUDA_HOME"), tried, size) || try_toolkit(cupti, "/usr/local/cuda", tried, size))
		return true;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (try_file(cupti, names[i], tried, size))
			return true;
	return false;
}

int cupti_open(struct cupti *cupti, struct error *err)
{
	const char *path = getenv("DBPROF_CUPTI_PATH");
	char tried[800] = "";

	if (path && *path != '\0') {
		if (try_file(cupti, path, tried, sizeof(tried)))
			return 0;
		return error_set(err, "DBPROF_CUPTI_PATH names no CUPTI that can be used: %s", tried);
	}
	if (try_all(cupti, tried, sizeof(tried)))
		return 0;
	return error_set(
		err, "CUPTI was not found: install it, or set DBPROF_CUPTI_PATH to libcupti.so; tried %s", tried);
}

void cupti_close(struct cupti *cupti)
{
	if (cupti->handle)
		dlclose(cupti->handle);
	*cupti = (struct cupti){0};
}

const char *cupti_advice(CUptiResult code)
{
	switch ((int)code) {
	case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
		return "another profiler is at work in this process: run dbprof without it";
	case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
	case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
		return "profiling is for the administrator only: load the nvidia module with "
		       "NVreg_RestrictProfilingToAdminUsers=0, or run as root";
	case CUPTI_ERROR_HARDWARE_BUSY:
		return "another tool holds the GPU's profiler: end it (dcgm, ncu, nsys) and try again";
	case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
		return "allow profiling for this virtual GPU in the host's settings";
	case CUPTI_ERROR_NOT_COMPATIBLE:
		return "CUPTI is newer than the driver: update the NVIDIA driver";
	case CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED:
		return "profiling is off in confidential computing mode";
	default:
		return NULL;
	}
}

int cupti_error(const struct cupti *cupti, struct error *err, CUptiResult code, const char *what)
{
	const char *name = NULL, *advice = cupti_advice(code);

	if (cupti->cuptiGetResultString(code, &name) != CUPTI_SUCCESS || !name)
		name = "unknown CUPTI error";
	if (!advice)
		return error_set(err, "%s: %s (%d)", what, name, (int)code);
	return error_set(err, "%s: %s: %s", what, name, advice);
}
