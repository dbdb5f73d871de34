/* kernel-names.c: demangles kernel names, each once. See names.h. */
#include "record/cupti/names.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"
#include "util/hash.h"

/* Of the C++ run-time library, which the CUDA objects need anyway (Itanium C++ ABI, section 3.4).
 * NOLINTNEXTLINE(clang-diagnostic-reserved-identifier): its name. */
char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

enum { GUESSES = sizeof(((struct kernel_names *)0)->guesses) / sizeof(size_t) };

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

/* The slot of a name, or the free one where it belongs. */
static size_t *kernel_names_slot(const struct kernel_names *names, const char *mangled)
{
	size_t i = (size_t)hash_bytes(0, mangled, strlen(mangled)) & (names->nslots - 1);

	while (names->slots[i] != 0 && strcmp(names->all[names->slots[i] - 1].mangled, mangled) != 0)
		i = (i + 1) & (names->nslots - 1);
	return &names->slots[i];
}

static void kernel_names_grow(struct kernel_names *names)
{
	free(names->slots);
	names->nslots = names->nslots == 0 ? 256 : 4 * names->nslots;
	names->slots = xcalloc(names->nslots, sizeof(*names->slots));
	for (size_t i = 0; i < names->n; i++)
		*kernel_names_slot(names, names->all[i].mangled) = i + 1;
}

const struct kernel_name *kernel_names_get(struct kernel_names *names, const char *mangled)
{
	size_t *guess = &names->guesses[((uintptr_t)mangled ^ (uintptr_t)mangled >> 8) / 16 % GUESSES], *slot;

	if (*guess != 0 && strcmp(names->all[*guess - 1].mangled, mangled) == 0)
		return &names->all[*guess - 1];
	if (names->nslots <= 2 * names->n)
		kernel_names_grow(names);
	slot = kernel_names_slot(names, mangled);
	if (*slot == 0) {
		xgrow(&names->all, names->n, &names->room, sizeof(*names->all));
		kernel_names_make_name(mangled, &names->all[names->n]);
		*slot = ++names->n;
	}
	*guess = *slot;
	return &names->all[*slot - 1];
}

void kernel_names_free(struct kernel_names *names)
{
	for (size_t i = 0; i < names->n; i++)
		free_name(&names->all[i]);
	free(names->all);
	free(names->slots);
	*names = (struct kernel_names){0};
}
