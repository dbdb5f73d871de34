/* kernel-names.c: demangles kernel names, each once. See names.h. */
#include "record/cupti/names.h"

#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"

/* Of the C++ run-time library, which the CUDA objects need anyway (Itanium C++ ABI, section 3.4).
 * NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): its name. */
char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

static void free_name(struct kernel_name *name)
{
	free(name->mangled);
	free(name->demangled);
	free(name->short_);
}

/* This refuses a name that is not a C++ one, such as that of an extern "C" kernel. It is readable as it is. */
static char *demangle(const char *mangled)
{
	enum { NO_MEMORY = -1 };
	int status = 0;
	char *name;

	while (!(name = __cxa_demangle(mangled, NULL, NULL, &status)) && status == NO_MEMORY)
		memory_short();
	return name ? name : xstrdup(mangled);
}

static void kernel_names_make_name(const char *mangled, struct kernel_name *out)
{
	size_t size;

	out->mangled = xstrdup(mangled);
	out->demangled = demangle(mangled);
	size = strlen(out->demangled) + 1;
	out->short_ = xmalloc(size);
	name_short(out->demangled, out->short_, size);
}

static const struct kernel_name *kernel_names_add(struct kernel_names *names, const char *mangled)
{
	xgrow(&names->all, names->n, &names->room, sizeof(*names->all));
	kernel_names_make_name(mangled, &names->all[names->n]);
	return &names->all[names->n++];
}

const struct kernel_name *kernel_names_get(struct kernel_names *names, const char *mangled)
{
	/* Looks at the latest ones first: a kernel often runs many times in a row. */
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
