/* activity-places.c: where the work of a traced program runs, as CUPTI tells it: devices, contexts, streams, threads.
 */
#include "record/cupti/activity-private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The oldest records that have all members that are read here. See activity-rows.c. */
typedef CUpti_ActivityDevice4 device_record;
typedef CUpti_ActivityContext2 context_record;

void gpu_uuid_text(const CUuuid *uuid, char text[GPU_UUID_TEXT])
{
	const unsigned char *b = (const unsigned char *)uuid->bytes;
	int used = snprintf(text, GPU_UUID_TEXT, "GPU-");

	for (int i = 0; i < 16; i++)
		used += snprintf(text + used, GPU_UUID_TEXT - (size_t)used, "%s%02x",
			i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", b[i]);
}

static void place_device(struct activity *a, const CUpti_Activity *record)
{
	const device_record *r = (const device_record *)record;
	char uuid[GPU_UUID_TEXT];

	gpu_uuid_text(&r->uuid, uuid);
	const struct value row[GPU_NUMBER] = {
		[GPU_vmId] = VALUE_OF_INT(0),
		[GPU_id] = VALUE_OF_INT(r->id),
		[GPU_name] = VALUE_OF_TEXT(r->name),
		[GPU_l2CacheSize] = VALUE_OF_INT(r->l2CacheSize),
		[GPU_totalMemory] = VALUE_OF_INT(r->globalMemorySize),
		[GPU_memoryBandwidth] = VALUE_OF_INT(r->globalMemoryBandwidth * 1000), /* CUPTI: kB/s */
		[GPU_clockRate] = VALUE_OF_INT((int64_t)r->coreClockRate * 1000),      /* CUPTI: kHz */
		[GPU_smCount] = VALUE_OF_INT(r->numMultiprocessors),
		[GPU_uuid] = VALUE_OF_TEXT(uuid),
		[GPU_cuDevice] = VALUE_OF_INT(r->id),
		[GPU_constantMemory] = VALUE_OF_INT(r->constantMemorySize),
		[GPU_maxIPC] = VALUE_OF_INT(r->maxIPC),
		[GPU_maxRegistersPerBlock] = VALUE_OF_INT(r->maxRegistersPerBlock),
		[GPU_maxShmemPerBlock] = VALUE_OF_INT(r->maxSharedMemoryPerBlock),
		[GPU_maxShmemPerSm] = VALUE_OF_INT(r->maxSharedMemoryPerMultiprocessor),
		[GPU_maxRegistersPerSm] = VALUE_OF_INT(r->maxRegistersPerMultiprocessor),
		[GPU_threadsPerWarp] = VALUE_OF_INT(r->numThreadsPerWarp),
		[GPU_asyncEngines] = VALUE_OF_INT(r->numMemcpyEngines),
		[GPU_maxWarpsPerSm] = VALUE_OF_INT(r->maxWarpsPerMultiprocessor),
		[GPU_maxBlocksPerSm] = VALUE_OF_INT(r->maxBlocksPerMultiprocessor),
		[GPU_maxThreadsPerBlock] = VALUE_OF_INT(r->maxThreadsPerBlock),
		[GPU_maxBlockDimX] = VALUE_OF_INT(r->maxBlockDimX),
		[GPU_maxBlockDimY] = VALUE_OF_INT(r->maxBlockDimY),
		[GPU_maxBlockDimZ] = VALUE_OF_INT(r->maxBlockDimZ),
		[GPU_maxGridDimX] = VALUE_OF_INT(r->maxGridDimX),
		[GPU_maxGridDimY] = VALUE_OF_INT(r->maxGridDimY),
		[GPU_maxGridDimZ] = VALUE_OF_INT(r->maxGridDimZ),
		[GPU_computeMajor] = VALUE_OF_INT(r->computeCapabilityMajor),
		[GPU_computeMinor] = VALUE_OF_INT(r->computeCapabilityMinor),
		[GPU_smMajor] = VALUE_OF_INT(r->computeCapabilityMajor),
		[GPU_smMinor] = VALUE_OF_INT(r->computeCapabilityMinor),
	};
	activity_row(a, TABLE_GPU, row);
}

/* Without room for a context, its work counts for the session's device. */
static void note_context(struct contexts *c, uint32_t context, uint32_t device)
{
	if (c->n == MAX_CONTEXTS)
		return;
	c->all[c->n].context = context;
	c->all[c->n++].device = device;
}

static void place_context(struct activity *a, const CUpti_Activity *record)
{
	const context_record *r = (const context_record *)record;
	struct value parent = {.kind = VALUE_NULL};

	note_context(&a->contexts, r->contextId, r->deviceId);
	if (r->isGreenContext)
		parent = VALUE_OF_INT(r->parentContextId);
	const struct value row[CONTEXT_NUMBER] = {
		[CONTEXT_nullStreamId] = VALUE_OF_INT(r->nullStreamId),
		[CONTEXT_hwId] = VALUE_OF_INT(0),
		[CONTEXT_vmId] = VALUE_OF_INT(0),
		[CONTEXT_processId] = VALUE_OF_INT(a->pid),
		[CONTEXT_deviceId] = VALUE_OF_INT(r->deviceId),
		[CONTEXT_contextId] = VALUE_OF_INT(r->contextId),
		[CONTEXT_parentContextId] = parent,
		[CONTEXT_isGreenContext] = VALUE_OF_INT(r->isGreenContext),
	};
	activity_row(a, TABLE_CONTEXT, row);
}

int place_of_context(const struct activity *a, uint32_t context)
{
	for (int i = 0; i < a->contexts.n; i++)
		if (a->contexts.all[i].context == context)
			return (int)a->contexts.all[i].device;
	return a->device;
}

static void place_stream(struct activity *a, const CUpti_ActivityStream *r)
{
	const struct value row[STREAM_NUMBER] = {
		[STREAM_streamId] = VALUE_OF_INT(r->streamId),
		[STREAM_hwId] = VALUE_OF_INT(0),
		[STREAM_vmId] = VALUE_OF_INT(0),
		[STREAM_processId] = VALUE_OF_INT(a->pid),
		[STREAM_contextId] = VALUE_OF_INT(r->contextId),
		[STREAM_priority] = VALUE_OF_INT((int32_t)r->priority),
		[STREAM_flag] = VALUE_OF_INT(r->flag), /* CUPTI's numbers are those of ENUM_CUPTI_STREAM_TYPE */
	};
	activity_row(a, TABLE_STREAM, row);
}

void place_record(struct activity *a, const CUpti_Activity *record)
{
	if (record->kind == CUPTI_ACTIVITY_KIND_DEVICE)
		place_device(a, record);
	else if (record->kind == CUPTI_ACTIVITY_KIND_CONTEXT)
		place_context(a, record);
	else if (record->kind == CUPTI_ACTIVITY_KIND_STREAM)
		place_stream(a, (const CUpti_ActivityStream *)record);
}

/* Where the thread stands in the sorted list, or would stand. */
static size_t place_in(const struct threads *t, uint32_t thread)
{
	size_t low = 0, high = t->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (t->all[middle] < thread)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* 1 if the thread is new, 0 if it was known, -1 without memory. */
static int add_thread(struct threads *t, uint32_t thread)
{
	size_t at = place_in(t, thread);

	if (at < t->n && t->all[at] == thread)
		return 0;
	if (t->n == t->room) {
		size_t room = t->room == 0 ? 64 : t->room * 2;
		uint32_t *all = realloc(t->all, room * sizeof(*all));

		if (!all)
			return -1;
		t->all = all;
		t->room = room;
	}
	memmove(&t->all[at + 1], &t->all[at], (t->n - at) * sizeof(*t->all));
	t->all[at] = thread;
	t->n++;
	return 1;
}

/* The kernel's name of the thread; "" once it has ended. -1 if it has a name that could not be read. */
static int activity_places_read_name(uint32_t thread, char *name, size_t size)
{
	char path[64];
	FILE *file;

	name[0] = '\0';
	snprintf(path, sizeof(path), "/proc/self/task/%u/comm", thread);
	file = fopen(path, "re");
	if (!file)
		return errno == ENOENT || errno == ESRCH ? 0 : -1;
	if (!fgets(name, (int)size, file))
		name[0] = '\0';
	fclose(file);
	name[strcspn(name, "\n")] = '\0';
	return 0;
}

static void write_thread(struct activity *a, uint32_t thread, const char *name)
{
	const struct value row[THREAD_NUMBER] = {
		[THREAD_nameId] = VALUE_OF_TEXT(name),
		[THREAD_globalTid] = VALUE_OF_INT(a->pid << 24 | (thread & 0xffffff)),
	};
	activity_row(a, TABLE_THREAD, row);
}

void place_thread(struct activity *a, uint32_t thread)
{
	char name[64];
	int added;

	if (thread == a->threads.last)
		return;
	a->threads.last = thread;
	added = add_thread(&a->threads, thread);
	if (added < 0 || (added > 0 && activity_places_read_name(thread, name, sizeof(name)) < 0))
		a->losses.unnamed++;
	else if (added > 0 && name[0] != '\0')
		write_thread(a, thread, name);
}
