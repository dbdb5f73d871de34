/* traced-runs.c: see traced-runs.h. */
#include "model/family/contrast/traced-runs.h"

#include <string.h>

#include "model/family/measured.h"
#include "model/names.h"
#include "model/trace/overlap.h"
#include "model/trace/trace.h"
#include "store/copies.h"
#include "util/number.h"

/* The trace has a kernel's short name; in a mangled symbol it stands behind its length. */
bool is_own_kernel(const struct measured *m, const struct activity *work)
{
	const char *symbol = measured_symbol(m), *own;
	size_t length;

	if (work->cls != WORK_KERNEL)
		return false;
	if (!symbol)
		return true;
	if (!work->name)
		return false;
	own = function_identifier(symbol, &length);
	return strcmp(symbol, work->name) == 0 ||
	       (own && strlen(work->name) == length && memcmp(own, work->name, length) == 0);
}

static bool is_between_host_and_device(const struct activity *work)
{
	return work->cls == WORK_H2D || work->cls == WORK_D2H;
}

static bool touches_pageable_memory(const struct activity *copy)
{
	char memory[64];

	memory_words(copy_memory(copy), memory, sizeof(memory));
	return strcmp(memory, "pageable") == 0;
}

static void take_copy(const struct activity *copy, struct traced_run *out)
{
	out->copies++;
	out->copy_bytes = int64_sum(out->copy_bytes, copy->bytes > 0 ? copy->bytes : 0);
	out->pageable = out->pageable || touches_pageable_memory(copy);
}

/* The own kernel's busy time is a union, as that of all kernels is: its launches may overlap. */
static int64_t own_busy(
	const struct trace *trace, const struct measured *m, const struct work_list *work, int device, size_t *launches)
{
	struct overlap_sweep sweep = {0};
	struct overlap own;

	for (size_t i = 0; i < work->n; i++) {
		struct activity item;

		trace_activity(trace, work->item[i], &item);
		if (item.device != device || !is_own_kernel(m, &item))
			continue;
		overlap_add(&sweep, &(struct device_work){item.start, item.end, WORK_KERNEL});
		++*launches;
	}
	overlap_end(&sweep, &own);
	return own.busy[WORK_KERNEL];
}

void traced_run_of(
	const struct trace *trace, const struct measured *m, const struct work_list *work, struct traced_run *out)
{
	int device = work_lane(trace, work->item[0])->device;

	*out = (struct traced_run){.copies = 0};
	work_overlap(trace, work, device, &out->overlap);
	out->own_ns = own_busy(trace, m, work, device, &out->own);
	for (size_t i = 0; i < work->n; i++) {
		struct activity item;

		trace_activity(trace, work->item[i], &item);
		if (item.device == device && is_between_host_and_device(&item))
			take_copy(&item, out);
	}
}
