/* sweep.c: see sweep.h. */
#include "record/worker/sweep.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* How many values the second axis has; 1 if there is none. */
static int rows(const struct sweep *sweep)
{
	return sweep->naxes > 1 ? sweep->axis[1].n : 1;
}

/* Makes point number i of the whole grid, and its label in `label`. False if the point is not wanted. */
static bool sweep_point(
	const struct sweep *sweep, const struct size_case *base, int i, struct size_case *out, char *label)
{
	const struct axis *x = &sweep->axis[0], *y = &sweep->axis[1];
	int64_t at = x->value[i / rows(sweep)];

	*out = *base;
	out->verify_only = false;
	out->sweep = sweep->name;
	out->label = label;
	out->value[x->param] = at;
	out->swept |= 1u << x->param;
	snprintf(label, SWEEP_LABEL, "%s-%" PRId64, sweep->name, at);
	if (sweep->naxes > 1) {
		int64_t across = y->value[i % rows(sweep)];

		out->value[y->param] = across;
		out->swept |= 1u << y->param;
		snprintf(label, SWEEP_LABEL, "%s-%" PRId64 "-%" PRId64, sweep->name, at, across);
	}
	return !sweep->wanted || sweep->wanted(out);
}

int sweep_count(const struct sweep *sweep, const struct size_case *base)
{
	struct size_case scratch;
	char label[SWEEP_LABEL];
	int n = 0;

	for (int i = 0; i < sweep->axis[0].n * rows(sweep); i++)
		n += sweep_point(sweep, base, i, &scratch, label);
	return n;
}

int sweep_fill(
	const struct sweep *sweep, const struct size_case *base, struct size_case *out, char (*labels)[SWEEP_LABEL])
{
	int n = 0;

	for (int i = 0; i < sweep->axis[0].n * rows(sweep); i++) {
		struct size_case size;
		char label[SWEEP_LABEL];

		if (!sweep_point(sweep, base, i, &size, label))
			continue;
		memcpy(labels[n], label, sizeof(label));
		out[n] = size;
		out[n].label = labels[n];
		n++;
	}
	return n;
}

const struct sweep *sweep_of(const struct family *family, const struct size_case *size)
{
	for (int i = 0; i < family->nsweeps && size->sweep; i++)
		if (strcmp(family->sweeps[i].name, size->sweep) == 0)
			return &family->sweeps[i];
	return NULL;
}
