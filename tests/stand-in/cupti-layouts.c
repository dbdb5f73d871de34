/* cupti-layouts.c: what the activity records of the stand-in's CUPTI look like, and how STAND_IN spoils them. */
#include "cupti-records.h"

#include <stdlib.h>
#include <string.h>

/* Every so many records are spoilt. */
enum { SPOIL_TIMES = 3, SPOIL_DROP = 5, SECOND = 1000000000 };

/* Where the times of a record are; a record without times has SIZE_MAX there, one with a single time has it twice. */
static const struct layout {
	CUpti_ActivityKind kind;
	size_t size, start, end;
	bool is_work;
} layouts[] = {
	{CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, sizeof(kernel_record), offsetof(kernel_record, start),
		offsetof(kernel_record, end), true},
	{CUPTI_ACTIVITY_KIND_MEMCPY, sizeof(copy_record), offsetof(copy_record, start), offsetof(copy_record, end),
		true},
	{CUPTI_ACTIVITY_KIND_MEMSET, sizeof(memset_record), offsetof(memset_record, start),
		offsetof(memset_record, end), true},
	{CUPTI_ACTIVITY_KIND_RUNTIME, sizeof(call_record), offsetof(call_record, start), offsetof(call_record, end),
		false},
	{CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, sizeof(wait_record), offsetof(wait_record, start),
		offsetof(wait_record, end), false},
	{CUPTI_ACTIVITY_KIND_OVERHEAD, sizeof(overhead_record), offsetof(overhead_record, start),
		offsetof(overhead_record, end), false},
	{CUPTI_ACTIVITY_KIND_MARKER, sizeof(marker_record), offsetof(marker_record, timestamp),
		offsetof(marker_record, timestamp), false},
	{CUPTI_ACTIVITY_KIND_MARKER_DATA, sizeof(marker_data_record), SIZE_MAX, SIZE_MAX, false},
	{CUPTI_ACTIVITY_KIND_DEVICE, sizeof(device_record), SIZE_MAX, SIZE_MAX, false},
	{CUPTI_ACTIVITY_KIND_CONTEXT, sizeof(context_record), SIZE_MAX, SIZE_MAX, false},
	{CUPTI_ACTIVITY_KIND_STREAM, sizeof(stream_record), SIZE_MAX, SIZE_MAX, false},
};

enum { NLAYOUTS = sizeof layouts / sizeof layouts[0] };

/* Records so far, of those that may be spoilt. */
static unsigned ntimed, nwork;
static int nlost;

/* ---- kinds of records ---- */

static const struct layout *layout_of(const void *record)
{
	for (int i = 0; i < NLAYOUTS; i++)
		if (layouts[i].kind == ((const CUpti_Activity *)record)->kind)
			return &layouts[i];
	return NULL;
}

size_t layout_size(const void *record)
{
	return layout_of(record)->size;
}

/* ---- what STAND_IN asks for ---- */

/* Every fifth record of device work, until so many are. */
static bool is_lost(const struct layout *layout)
{
	if (!layout->is_work || __atomic_add_fetch(&nwork, 1, __ATOMIC_RELAXED) % SPOIL_DROP != 0)
		return false;
	return __atomic_fetch_add(&nlost, 1, __ATOMIC_RELAXED) < stand_in()->drop;
}

static uint64_t *time_at(uint8_t *record, size_t offset)
{
	return (uint64_t *)(void *)(record + offset);
}

static void turn_round(uint8_t *record, const struct layout *layout)
{
	uint64_t *start = time_at(record, layout->start), *end = time_at(record, layout->end), t = *start;

	if (start != end) {
		*start = *end > t ? *end : t + 1;
		*end = t;
	} else if ((((marker_record *)(void *)record)->flags & CUPTI_ACTIVITY_FLAG_MARKER_END) != 0) {
		*end -= SECOND;
	}
}

/* Every third record with times: those of all kinds can lack them, as CUPTI's header says. */
static void spoil_times(uint8_t *record, const struct layout *layout)
{
	const struct stand_in *how = stand_in();

	if (layout->start == SIZE_MAX || (!how->zero_times && !how->backward) ||
		__atomic_add_fetch(&ntimed, 1, __ATOMIC_RELAXED) % SPOIL_TIMES != 0)
		return;
	if (how->backward)
		turn_round(record, layout);
	if (how->zero_times)
		*time_at(record, layout->start) = *time_at(record, layout->end) = 0;
}

/* The records of a buffer from the last to the first. */
void layout_reverse(uint8_t *buffer, size_t used)
{
	uint8_t *copy = malloc(used), *to = buffer + used;

	if (copy == NULL)
		abort();
	memcpy(copy, buffer, used);
	for (size_t at = 0; at < used;) {
		size_t size = layout_of(copy + at)->size;

		to -= size;
		memcpy(to, copy + at, size);
		at += size;
	}
	free(copy);
}

bool layout_spoil(void *record)
{
	const struct layout *layout = layout_of(record);

	if (is_lost(layout))
		return false;
	spoil_times(record, layout);
	return true;
}

/* ---- CUPTI ---- */

/* A record that was cut off is no record of this buffer. */
CUptiResult CUPTIAPI cuptiActivityGetNextRecord(uint8_t *buffer, size_t valid, CUpti_Activity **record)
{
	const struct layout *layout;
	size_t at = 0;

	STAND_IN_CALL(CUptiResult);
	if (buffer == NULL || record == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	if (*record != NULL)
		at = (size_t)((uint8_t *)*record - buffer) + layout_of(*record)->size;
	if (at + sizeof(CUpti_Activity) > valid)
		return CUPTI_ERROR_MAX_LIMIT_REACHED;
	layout = layout_of(buffer + at);
	if (layout == NULL)
		return CUPTI_ERROR_INVALID_KIND;
	if (at + layout->size > valid)
		return CUPTI_ERROR_MAX_LIMIT_REACHED;
	*record = (CUpti_Activity *)(void *)(buffer + at);
	return CUPTI_SUCCESS;
}
