/* kernel-names.c: demangles kernel names, each once. See names.h. */
#include "record/cupti/names.h"

#include <stdlib.h>
#include <string.h>

/* Of the C++ run-time library, which the CUDA objects need anyway (Itanium C++ ABI, section 3.4).
 * NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): its name. */
char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

static void free_name(struct kernel_name *name)
{
	free(name->mangled);
	free(name->demangled);
	free(name->short_);
}

/* 0, or -1 when memory is short; then nothing is left to free. */
static int kernel_names_make_name(const char *mangled, struct kernel_name *out)
{
	enum { NO_MEMORY = -1 };
	size_t size;
	int status = 0;

	out->mangled = strdup(mangled);
	/* A name that is none of C++, such as that of an extern "C" kernel, is refused: it is readable as it is. */
	out->demangled = __cxa_demangle(mangled, NULL, NULL, &status);
	if (!out->demangled && status != NO_MEMORY)
		out->demangled = strdup(mangled);
	size = !out->demangled ? 0 : strlen(out->demangled) + 1;
	out->short_ = size == 0 ? NULL : malloc(size);
	if (!out->mangled || !out->short_) {
		free_name(out);
		return -1;
	}
	name_short(out->demangled, out->short_, size);
	return 0;
}

static const struct kernel_name *kernel_names_add(struct kernel_names *names, const char *mangled)
{
	if (names->n == names->room) {
		size_t room = names->room == 0 ? 32 : names->room * 2;
		struct kernel_name *all = realloc(names->all, room * sizeof(*all));

		if (!all)
			return NULL;
		names->all = all;
		names->room = room;
	}
	if (kernel_names_make_name(mangled, &names->all[names->n]) < 0)
		return NULL;
	return &names->all[names->n++];
}

const struct kernel_name *kernel_names_get(struct kernel_names *names, const char *mangled)
{
	/* The latest ones first: a kernel tends to run many times in a row. */
	for (size_t i = names->n; i-- > 0;)
		if (strcmp(names->all[i].mangled, mangled) == 0)
			return &names->all[i];
	return kernel_names_add(names, mangled);
}

void kernel_names_free(struct kernel_names *names)
{
	for (size_t i = 0; i < names->n; i++)
		free_name(&names->all[i]);
	free(names->all);
	*names = (struct kernel_names){0};
}
