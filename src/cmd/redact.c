/* redact.c: see redact.h. */
#include "cmd/redact.h"

#include <string.h>

/* The names as C has them; people write - for _. */
static char own_families[][32] = {
#define FAMILY(name) #name,
#include "families.def"
#undef FAMILY
};

enum { OWN_FAMILIES = sizeof(own_families) / sizeof(own_families[0]) };

const char *const *cmd_own_families(void)
{
	static const char *names[OWN_FAMILIES + 1];

	for (int i = 0; i < OWN_FAMILIES; i++) {
		char *c;

		while ((c = strchr(own_families[i], '_')))
			*c = '-';
		names[i] = own_families[i];
	}
	return names;
}
