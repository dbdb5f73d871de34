/* step-copy.c: see step-copy.h. */
#include "contrast/step/step-copy.h"

#include "contrast/step/cells.h"
#include "store/devices.h"
#include "store/event.h"
#include "store/nvtx.h"
#include "trace/trace.h"
#include "util/number.h"

struct step_copying {
	struct store *store;
	const struct step_calls *calls;
	const struct step_place *place;
	struct devices devices;
	struct nvtx nvtx;
	struct step_copied copied;
};

/* What a row of a table becomes: true if it belongs to the step. */
typedef bool step_row(struct step_copying *copying, const struct cursor *cursor, struct value *row);

static int copy_step_rows(struct step_copying *copying, enum table_id table, step_row *make, struct error *err)
{
	struct cursor *cursor = store_rows(copying->store, table, -1, err);
	int more = cursor ? cursor_next(cursor, err) : -1;

	for (; more > 0; more = cursor_next(cursor, err)) {
		struct value row[TABLE_MAX_COLUMNS];

		cells_of_row(cursor, table, row);
		if (make(copying, cursor, row) && copying->place->rec &&
			recording_row(copying->place->rec, table, row, err) < 0) {
			more = -1;
			break;
		}
	}
	cursor_close(cursor);
	return more;
}

/* ---- times and ids ---- */

static void shift_time(const struct step_copying *copying, struct value *time)
{
	if (time->kind == VALUE_INT)
		time->integer = int64_sum(time->integer, copying->place->at - copying->place->window.from);
}

/* Two steps must not lie over each other. */
static void cut_and_shift(const struct step_copying *copying, struct value *time)
{
	const struct step_window *window = &copying->place->window;

	if (time->kind != VALUE_INT)
		return;
	time->integer = time->integer < window->from ? window->from : time->integer;
	time->integer = time->integer > window->to ? window->to : time->integer;
	shift_time(copying, time);
}

/* Numbers a call anew; false if it is none of the step's. Work without a call is part of a step that is the whole run.
 */
static bool take_call_id(const struct step_copying *copying, int64_t process, struct value *id)
{
	int64_t correlation = id->kind == VALUE_INT ? id->integer : 0;
	size_t place = step_calls_find(copying->calls, process, correlation);

	if (place == 0)
		return correlation == 0 && copying->calls->whole;
	*id = VALUE_OF_INT(copying->place->first_call + (int64_t)place - 1);
	return true;
}

static int number_of_gpu(const struct step_copying *copying, int64_t process, const struct value *device)
{
	return device->kind == VALUE_INT && device_is_possible(device->integer)
		       ? device_of(&copying->devices, process, device->integer)
		       : -1;
}

static void number_gpu(const struct step_copying *copying, int64_t process, struct value *device)
{
	int number = number_of_gpu(copying, process, device);

	if (number >= 0)
		*device = VALUE_OF_INT(
			copying->place->gpus && number < PROGRAM_GPUS ? copying->place->gpus[number] : number);
}

/* ---- work ---- */

/* Columns of a table of work. */
struct step_work_columns {
	int start, end, process, correlation, device;
};

/* Whether work that is none of the step's counts as well. */
static bool is_beside(const struct step_copying *copying, int64_t process, const struct value *device)
{
	int number = number_of_gpu(copying, process, device);

	return step_calls_has_process(copying->calls, process) ||
	       (number >= 0 && number < PROGRAM_GPUS && copying->calls->gpus[number]);
}

/* A piece that only touches the window has no part in it. */
static bool is_in_window(const struct step_window *window, int64_t start, int64_t end)
{
	return times_usable(start, end) && start <= window->to && end >= window->from &&
	       (start == end || (start < window->to && end > window->from));
}

static bool step_row_of_work(struct step_copying *copying, const struct cursor *cursor,
	const struct step_work_columns *columns, struct value *row)
{
	int64_t process = cursor_int(cursor, columns->process);
	struct value *call = &row[columns->correlation];

	if (!is_in_window(
		    &copying->place->window, cursor_time(cursor, columns->start), cursor_time(cursor, columns->end)))
		return false;
	if (take_call_id(copying, process, call)) {
		copying->copied.own++;
	} else if (is_beside(copying, process, &row[columns->device])) {
		*call = (struct value){.kind = VALUE_NULL};
		copying->copied.others++;
	} else {
		return false;
	}
	cut_and_shift(copying, &row[columns->start]);
	cut_and_shift(copying, &row[columns->end]);
	number_gpu(copying, process, &row[columns->device]);
	return true;
}

static bool step_row_of_kernel(struct step_copying *copying, const struct cursor *cursor, struct value *row)
{
	static const struct step_work_columns columns = {
		KERNEL_start, KERNEL_end, KERNEL_globalPid, KERNEL_correlationId, KERNEL_deviceId};

	return step_row_of_work(copying, cursor, &columns, row);
}

static bool step_row_of_graph(struct step_copying *copying, const struct cursor *cursor, struct value *row)
{
	static const struct step_work_columns columns = {
		GRAPHTRACE_start, GRAPHTRACE_end, GRAPHTRACE_globalPid, GRAPHTRACE_correlationId, GRAPHTRACE_deviceId};

	return step_row_of_work(copying, cursor, &columns, row);
}

static bool step_row_of_copy(struct step_copying *copying, const struct cursor *cursor, struct value *row)
{
	static const struct step_work_columns columns = {
		MEMCPY_start, MEMCPY_end, MEMCPY_globalPid, MEMCPY_correlationId, MEMCPY_deviceId};

	return step_row_of_work(copying, cursor, &columns, row);
}

static bool step_row_of_memset(struct step_copying *copying, const struct cursor *cursor, struct value *row)
{
	static const struct step_work_columns columns = {
		MEMSET_start, MEMSET_end, MEMSET_globalPid, MEMSET_correlationId, MEMSET_deviceId};

	return step_row_of_work(copying, cursor, &columns, row);
}

/* ---- the host ---- */

/* Work of a file that names no process may be of any. Calls of work that is shown may lie outside of the window. */
static bool step_row_of_call(struct step_copying *copying, const struct cursor *cursor, struct value *row)
{
	struct value *id = &row[RUNTIME_correlationId];

	if (id->kind != VALUE_INT || id->integer == 0 ||
		(!take_call_id(copying, process_of(cursor_int(cursor, RUNTIME_globalTid)), id) &&
			!take_call_id(copying, 0, id)))
		return false;
	if (cursor_time(cursor, RUNTIME_start) < copying->calls->from ||
		cursor_time(cursor, RUNTIME_start) > copying->calls->to)
		return false;
	cut_and_shift(copying, &row[RUNTIME_start]);
	cut_and_shift(copying, &row[RUNTIME_end]);
	return true;
}

/* A range that reaches out of the window is cut, and one that never ended ends with it. */
static bool cut_range(struct step_copying *copying, struct value *row)
{
	const struct step_window *window = &copying->place->window;
	struct value *start = &row[NVTX_start], *end = &row[NVTX_end];

	if (start->kind != VALUE_INT || start->integer >= window->to ||
		(end->kind == VALUE_INT && (end->integer <= window->from || end->integer < start->integer)))
		return false;
	if (end->kind != VALUE_INT)
		*end = VALUE_OF_INT(window->to);
	cut_and_shift(copying, start);
	cut_and_shift(copying, end);
	copying->copied.ranges++;
	return true;
}

static bool step_row_of_range(struct step_copying *copying, const struct cursor *cursor, struct value *row)
{
	static const int types[] = {[NVTX_PUSH_POP] = 59, [NVTX_START_END] = 60, [NVTX_DOMAIN] = 75};
	enum nvtx_kind kind = nvtx_kind(&copying->nvtx, cursor);

	if ((kind != NVTX_PUSH_POP && kind != NVTX_START_END && kind != NVTX_DOMAIN) ||
		!step_calls_has_process(copying->calls, process_of(cursor_int(cursor, NVTX_globalTid))))
		return false;
	row[NVTX_eventType] = VALUE_OF_INT(types[kind]);
	if (kind == NVTX_DOMAIN)
		row[NVTX_start] = row[NVTX_end] = (struct value){.kind = VALUE_NULL};
	return kind == NVTX_DOMAIN || cut_range(copying, row);
}

static bool step_row_of_context(struct step_copying *copying, const struct cursor *cursor, struct value *row)
{
	const struct step_calls *calls = copying->calls;

	for (size_t i = 0; i < calls->n; i++) {
		if (pid_of(calls->call[i].process) != cursor_int(cursor, CONTEXT_processId))
			continue;
		number_gpu(copying, calls->call[i].process, &row[CONTEXT_deviceId]);
		return true;
	}
	return false;
}

/* ---- all of it ---- */

static int copy_step_tables(struct step_copying *copying, struct error *err)
{
	static const struct {
		enum table_id table;
		step_row *make;
	} tables[] = {{TABLE_NVTX, step_row_of_range}, {TABLE_KERNEL, step_row_of_kernel},
		{TABLE_GRAPHTRACE, step_row_of_graph}, {TABLE_MEMCPY, step_row_of_copy},
		{TABLE_MEMSET, step_row_of_memset}, {TABLE_RUNTIME, step_row_of_call},
		{TABLE_CONTEXT, step_row_of_context}};

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		if (copy_step_rows(copying, tables[i].table, tables[i].make, err) < 0)
			return -1;
	return 0;
}

int step_copy(const char *path, const struct step_calls *calls, const struct step_place *place,
	struct step_copied *copied, struct error *err)
{
	struct step_copying copying = {.store = store_open(path, err), .calls = calls, .place = place};
	int code = -1;

	if (!copying.store)
		return -1;
	nvtx_begin(&copying.nvtx, copying.store);
	if (devices_load(&copying.devices, copying.store, err) == 0)
		code = copy_step_tables(&copying, err);
	*copied = copying.copied;
	devices_free(&copying.devices);
	nvtx_end(&copying.nvtx);
	store_close(copying.store);
	return code;
}
