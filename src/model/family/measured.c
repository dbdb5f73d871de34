/* measured.c: see measured.h. */
#include "model/family/measured.h"

#include <string.h>

#include "store/store.h"
#include "tree/tree.h"

bool is_part(const char *kind)
{
	static const char *const parts[] = {"floor", "loads", "stores", "compute"};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (kind && strcmp(kind, parts[i]) == 0)
			return true;
	}
	return false;
}

bool came_out_wrong(const struct rows *verify)
{
	for (size_t i = 0; i < verify->count; i++) {
		if (row_int(verify, i, VERIFY_wrong) > 0)
			return true;
	}
	return false;
}

bool measured_in_row(const struct measured *m, const struct rows *rows, size_t i, int family)
{
	const char *const key[] = {m->family, m->variant, m->label};

	for (int k = 0; k < 3; k++) {
		const char *text = row_text(rows, i, family + k);

		if (!text || strcmp(text, key[k]) != 0)
			return false;
	}
	return true;
}

const char *measured_symbol(const struct measured *m)
{
	return m->has_resources ? row_text(&m->resource, 0, RESOURCE_symbol) : NULL;
}

struct blocked_samples samples_of(const struct measured *m)
{
	return (struct blocked_samples){m->ns, m->block, m->n, m->run};
}

double counter_value(const struct measured *m, const char *key)
{
	return tree_real(json_object_get(m->counters, "values"), key);
}
