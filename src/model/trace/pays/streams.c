/* streams.c: how the streams of a process keep order with its default stream. */
#include <stdlib.h>

#include "model/recording.h"
#include "model/trace/pays/parts.h"
#include "model/trace/trace.h"
#include "store/devices.h"
#include "store/event.h"
#include "store/rowset.h"
#include "util/alloc.h"
#include "util/number.h"

/* CUPTI and Nsight Systems give the first context's legacy default stream the number 7; lower numbers are streams of
 * the driver. A recording that names no default stream is taken to mean this one. */
enum { USUAL_DEFAULT_STREAM = 7 };

enum stream_flag { FLAG_NON_BLOCKING = 2, FLAG_DEFAULT = 3 };

/* The streams of a process on a GPU while their kinds are found. */
struct kinds_making {
	const struct model *model;
	int64_t process;
	int device;
	const int64_t *id; /* sorted */
	size_t n;
	enum pays_stream *kind; /* by place of the id */
};

/* Stream ids count per context; here it is enough that a process has one stream of that id on the GPU. */
static bool is_context_of(const struct kinds_making *making, int64_t pid, int64_t context)
{
	struct rows contexts = rows_numbered(&making->model->table[TABLE_CONTEXT], CONTEXT_processId, pid);

	for (size_t i = 0; i < contexts.count; i++) {
		if (row_int(&contexts, i, CONTEXT_contextId) == context)
			return device_of(&making->model->trace.devices, making->process,
				       row_int(&contexts, i, CONTEXT_deviceId)) == making->device;
	}
	return true;
}

/* The rows of the process, or all where it is not known. */
static struct rows rows_of_process(const struct kinds_making *making, enum table_id table, int column)
{
	const struct rowset *set = &making->model->table[table];

	return making->process != 0 ? rows_numbered(set, column, pid_of(making->process)) : rows_all(set);
}

static void set_stream(const struct kinds_making *making, int64_t id, enum pays_stream kind)
{
	size_t place = int64_first_from(making->id, making->n, sizeof(*making->id), 0, id);

	if (place < making->n && making->id[place] == id)
		making->kind[place] = kind;
}

/* Default streams: those that contexts name, else the one with the usual number. */
static void find_default_streams(const struct kinds_making *making)
{
	struct rows contexts = rows_of_process(making, TABLE_CONTEXT, CONTEXT_processId);
	bool told = false;

	for (size_t i = 0; i < contexts.count; i++) {
		if (row_null(&contexts, i, CONTEXT_nullStreamId) ||
			!is_context_of(making, row_int(&contexts, i, CONTEXT_processId),
				row_int(&contexts, i, CONTEXT_contextId)))
			continue;
		set_stream(making, row_int(&contexts, i, CONTEXT_nullStreamId), PAYS_STREAM_LEGACY);
		told = true;
	}
	if (!told)
		set_stream(making, USUAL_DEFAULT_STREAM, PAYS_STREAM_LEGACY);
}

static void find_other_streams(const struct kinds_making *making)
{
	struct rows streams = rows_of_process(making, TABLE_STREAM, STREAM_processId);

	for (size_t i = 0; i < streams.count; i++) {
		int64_t flag = row_int(&streams, i, STREAM_flag);

		if (!is_context_of(
			    making, row_int(&streams, i, STREAM_processId), row_int(&streams, i, STREAM_contextId)))
			continue;
		if (flag == FLAG_NON_BLOCKING || flag == FLAG_DEFAULT)
			set_stream(making, row_int(&streams, i, STREAM_streamId),
				flag == FLAG_DEFAULT ? PAYS_STREAM_LEGACY : PAYS_STREAM_NON_BLOCKING);
	}
}

enum pays_stream *pays_stream_kinds(const struct model *model, int64_t process, int device, const int64_t *id, size_t n)
{
	const struct kinds_making making = {model, process, device, id, n, xcalloc(n + 1, sizeof(*making.kind))};

	find_default_streams(&making);
	find_other_streams(&making);
	return making.kind;
}
