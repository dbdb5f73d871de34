/* cause-facts.c: what the rules compare: changes of counters, the stall reason that stands out, the busiest unit. */
#include <string.h>

#include "model/family/contrast/cause-rules.h"
#include "model/family/contrast/contrast.h"
#include "model/family/measured.h"
#include "tree/counter-keys.h"

double counter_change(const struct contrast *c, const char *key)
{
	return counter_value(c->dbl, key) - counter_value(c->single, key);
}

double relative_change(const struct contrast *c, const char *key)
{
	return counter_change(c, key) / counter_value(c->single, key);
}

/* The stall reason whose share changes most upwards (sign 1) or downwards (-1). A ready warp that is not selected waits
 * for nothing that a variant could spare it. */
static const char *most_changed(const struct contrast *c, int sign)
{
	json_t *values = json_object_get(c->dbl->counters, "values"), *value;
	const char *key, *found = NULL;
	double most = 0;

	json_object_foreach(values, key, value)
	{
		if (strcmp(key, KEY_STALL_NOT_SELECTED) == 0)
			continue;
		if (is_stall_share(key) && sign * counter_change(c, key) > most) {
			most = sign * counter_change(c, key);
			found = key;
		}
	}
	return found;
}

const char *most_risen(const struct contrast *c)
{
	return most_changed(c, 1);
}

const char *most_fallen(const struct contrast *c)
{
	return most_changed(c, -1);
}

const char *top_stall(const struct measured *m)
{
	json_t *values = json_object_get(m->counters, "values"), *value;
	const char *key, *found = NULL;
	double most = 0;

	json_object_foreach(values, key, value)
	{
		if (is_stall_share(key) && counter_value(m, key) > most) {
			most = counter_value(m, key);
			found = key;
		}
	}
	return found;
}

const char *busiest_unit(const struct contrast *c)
{
	static const char *const units[] = {
		KEY_THROUGHPUT "dram", KEY_THROUGHPUT "l2", KEY_THROUGHPUT "l1", KEY_THROUGHPUT "sm"};
	const char *found = NULL;
	double most = 0;

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		double value = counter_value(c->dbl, units[i]);

		if (value > most) {
			most = value;
			found = units[i];
		}
	}
	return found;
}
