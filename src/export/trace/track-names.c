/* track-names.c: see track-names.h. */
#include "export/trace/track-names.h"

#include <stdio.h>
#include <string.h>

#include "export/trace/form.h"
#include "store/devices.h"
#include "store/event.h"

int track_names_load(struct track_names *names, struct store *store, struct error *err)
{
	const struct {
		struct rowset *set;
		enum table_id table;
		int order;
	} tables[] = {
		{&names->processes, TABLE_PROCESS, PROCESS_globalPid},
		{&names->traced, TABLE_TRACEDPROCESS, TRACEDPROCESS_pid},
		{&names->threads, TABLE_THREAD, THREAD_globalTid},
		{&names->gpus, TABLE_GPU, GPU_id},
		{&names->contexts, TABLE_CONTEXT, CONTEXT_contextId},
		{&names->streams, TABLE_STREAM, STREAM_streamId},
	};

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		if (rowset_load(tables[i].set, store, tables[i].table, 0, tables[i].order, err) < 0)
			return -1;
	}
	return 0;
}

void track_names_free(struct track_names *names)
{
	rowset_free(&names->processes);
	rowset_free(&names->traced);
	rowset_free(&names->threads);
	rowset_free(&names->gpus);
	rowset_free(&names->contexts);
	rowset_free(&names->streams);
}

/* ---- names ---- */

static const char *track_names_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* The executable's name, else the command line, else nothing. */
static const char *track_names_process_name(const struct track_names *names, int64_t process)
{
	struct rows rows = rows_numbered(&names->processes, PROCESS_globalPid, process);
	struct rows traced = rows_numbered(&names->traced, TRACEDPROCESS_pid, pid_of(process));

	if (rows.count > 0 && row_string(&rows, 0, PROCESS_name)[0])
		return track_names_base_name(row_string(&rows, 0, PROCESS_name));
	return traced.count > 0 ? row_string(&traced, 0, TRACEDPROCESS_command) : "";
}

static const char *gpu_name(const struct track_names *names, int64_t device)
{
	struct rows rows = rows_all(&names->gpus);
	int column = gpu_number_column(&rows);

	for (size_t i = 0; i < rows.count; i++)
		if (row_int(&rows, i, column) == device)
			return row_string(&rows, i, GPU_name);
	return "";
}

static void group_words(const struct track_names *names, const struct group *group, char *text, size_t size)
{
	const char *name = track_names_process_name(names, group->process), *gpu = gpu_name(names, group->device);

	if (group->kind == GROUP_PROCESS)
		snprintf(text, size, "%s", *name ? name : "process");
	else if (group->kind == GROUP_COUNTERS)
		snprintf(text, size, "GPU %lld counters%s%s", (long long)group->device, *gpu ? ", " : "", gpu);
	else
		snprintf(text, size, "GPU %lld%s%s, process %lld%s%s", (long long)group->device, *gpu ? " " : "", gpu,
			(long long)pid_of(group->process), *name ? " " : "", name);
}

/* Whether the stream is its context's default one, as far as the recording says. */
static bool track_names_is_default(const struct track_names *names, const struct track *track)
{
	struct rows contexts = rows_numbered(&names->contexts, CONTEXT_contextId, track->context);
	struct rows streams = rows_numbered(&names->streams, STREAM_streamId, track->id);
	int64_t pid = pid_of(track->process);

	for (size_t i = 0; i < contexts.count; i++) {
		if (row_int(&contexts, i, CONTEXT_processId) == pid)
			return row_int(&contexts, i, CONTEXT_nullStreamId) == track->id;
	}
	for (size_t i = 0; i < streams.count; i++) {
		if (row_int(&streams, i, STREAM_processId) == pid &&
			row_int(&streams, i, STREAM_contextId) == track->context)
			return row_int(&streams, i, STREAM_flag) == 3;
	}
	return false;
}

/* "stream 7 (default)"; a process's first context is number 1 and goes without saying. */
static void stream_words(const struct track_names *names, const struct track *track, char *text, size_t size)
{
	char context[48] = "";

	if (track->context > 1)
		snprintf(context, sizeof(context), ", context %lld", (long long)track->context);
	snprintf(text, size, "stream %lld%s%s", (long long)track->id,
		track_names_is_default(names, track) ? " (default)" : "", context);
}

static void track_words(const struct track_names *names, const struct track *track, int lane, char *text, size_t size)
{
	static const char *const what[TRACK_KINDS] = {
		[TRACK_NVTX] = " NVTX", [TRACK_CALLS] = " CUDA API", [TRACK_OVERHEAD] = " profiler overhead"};
	struct rows rows = rows_numbered(&names->threads, THREAD_globalTid, track->id);
	char words[200], more[24] = "";

	if (lane > 0)
		snprintf(more, sizeof(more), " (%d)", lane + 1);
	if (track->kind == TRACK_WAITS)
		snprintf(words, sizeof(words), "synchronization");
	else if (track->kind == TRACK_STREAM || track->kind == TRACK_SAMPLED)
		stream_words(names, track, words, sizeof(words));
	else if (rows.count > 0 && row_string(&rows, 0, THREAD_nameId)[0])
		snprintf(words, sizeof(words), "%.100s %lld%s", row_string(&rows, 0, THREAD_nameId),
			(long long)tid_of(track->id), what[track->kind]);
	else
		snprintf(words, sizeof(words), "thread %lld%s", (long long)tid_of(track->id), what[track->kind]);
	snprintf(text, size, "%s%s", words, more);
}

/* ---- places ---- */

static int clipped(int64_t number, int most)
{
	return number < 0 ? 0 : number > most ? most : (int)number;
}

/* Threads by number, each NVTX first; streams by context and number; what is left at the end. */
static int track_names_lane_order(const struct track *track, int lane)
{
	switch (track->kind) {
	case TRACK_NVTX:
	case TRACK_CALLS:
	case TRACK_OVERHEAD:
		return (int)tid_of(track->id) * 100 + (int)track->kind * 33 + clipped(lane, 32);
	case TRACK_STREAM:
	case TRACK_SAMPLED:
		return clipped(track->context, 15) * 100000000 + clipped(track->id, 999999) * 100 + clipped(lane, 99);
	default:
		return 2000000000 + clipped(lane, 99);
	}
}

/* A process, its GPUs, the next process ...; counters last. */
static int group_order(const struct group *group)
{
	enum { PER_PROCESS = 1000, MOST = 1000000 };

	if (group->kind == GROUP_COUNTERS)
		return (MOST + 1) * PER_PROCESS + clipped(group->device, PER_PROCESS);
	return clipped(group->order, MOST) * PER_PROCESS +
	       (group->kind == GROUP_GPU ? 1 + clipped(group->device, PER_PROCESS - 2) : 0);
}

void tell_group(struct export *ex, const struct track_names *names, struct group *group)
{
	char words[512];

	group_words(names, group, words, sizeof(words));
	trace_of(ex)->form->group(ex, group, words, group_order(group));
}

void tell_lane(struct export *ex, const struct track_names *names, const struct track *track, int lane)
{
	char words[256];

	track_words(names, track, lane, words, sizeof(words));
	trace_of(ex)->form->lane(ex, track, lane, words, track_names_lane_order(track, lane));
}
