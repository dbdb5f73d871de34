/* gather-work.c: reads the device work of a run. */
#include "contrast/launches-private.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/communicates.h"
#include "contrast/step/losses.h"
#include "store/copies.h"
#include "store/event.h"
#include "store/texts.h"
#include "util/alloc.h"
#include "util/number.h"

/* Which columns of a table say what a piece of work has. */
struct work_columns {
	enum table_id table;
	int start, end, process, correlation, node, device; /* node: -1 if it has none */
	const int *more;                                    /* that are read besides */
	size_t nmore;
};

enum { WORK_COLUMNS_MOST = 32 };

static const int kernel_columns[] = {KERNEL_demangledName, KERNEL_shortName, KERNEL_mangledName,
	KERNEL_registersPerThread, KERNEL_gridX, KERNEL_gridY, KERNEL_gridZ, KERNEL_blockX, KERNEL_blockY,
	KERNEL_blockZ, KERNEL_staticSharedMemory, KERNEL_dynamicSharedMemory, KERNEL_localMemoryPerThread,
	KERNEL_launchType};

static const int copy_columns[] = {MEMCPY_copyKind, MEMCPY_srcKind, MEMCPY_dstKind, MEMCPY_bytes};

static const struct work_columns work_tables[] = {
	{TABLE_KERNEL, KERNEL_start, KERNEL_end, KERNEL_globalPid, KERNEL_correlationId, KERNEL_graphNodeId,
		KERNEL_deviceId, kernel_columns, sizeof(kernel_columns) / sizeof(*kernel_columns)},
	{TABLE_GRAPHTRACE, GRAPHTRACE_start, GRAPHTRACE_end, GRAPHTRACE_globalPid, GRAPHTRACE_correlationId, -1,
		GRAPHTRACE_deviceId, NULL, 0},
	{TABLE_MEMCPY, MEMCPY_start, MEMCPY_end, MEMCPY_globalPid, MEMCPY_correlationId, MEMCPY_graphNodeId,
		MEMCPY_deviceId, copy_columns, sizeof(copy_columns) / sizeof(*copy_columns)},
	{TABLE_MEMSET, MEMSET_start, MEMSET_end, MEMSET_globalPid, MEMSET_correlationId, MEMSET_graphNodeId,
		MEMSET_deviceId, NULL, 0},
};

/* ---- forms ---- */

static int64_t known_resource(const struct cursor *row, int column)
{
	return cursor_null(row, column) ? RESOURCE_UNKNOWN : cursor_int(row, column);
}

static struct launch_form kernel_form(struct texts *texts, const struct cursor *row)
{
	struct launch_form form = {{0}};
	int64_t *field = form.field;

	field[FORM_NAME] = texts_column_number(texts, row, KERNEL_demangledName);
	field[FORM_BASE] = texts_column_number(texts, row, KERNEL_shortName);
	field[FORM_SYMBOL] = texts_column_number(texts, row, KERNEL_mangledName);
	if (!field[FORM_NAME])
		field[FORM_NAME] = field[FORM_SYMBOL];
	if (!field[FORM_BASE])
		field[FORM_BASE] = field[FORM_NAME] ? field[FORM_NAME] : texts_number(texts, "kernel without a name");
	if (!field[FORM_NAME])
		field[FORM_NAME] = field[FORM_BASE];
	for (int i = 0; i < 3; i++) {
		field[FORM_GRID + i] = cursor_int(row, KERNEL_gridX + i);
		field[FORM_BLOCK + i] = cursor_int(row, KERNEL_blockX + i);
	}
	field[FORM_REGISTERS] = known_resource(row, KERNEL_registersPerThread);
	field[FORM_STATIC_SHARED] = known_resource(row, KERNEL_staticSharedMemory);
	field[FORM_DYNAMIC_SHARED] = known_resource(row, KERNEL_dynamicSharedMemory);
	field[FORM_LOCAL] = known_resource(row, KERNEL_localMemoryPerThread);
	field[FORM_LAUNCH_TYPE] = known_resource(row, KERNEL_launchType);
	return form;
}

/* Graphs of one run are one unit: their numbers change where a program captures anew in each step. */
static struct launch_form graph_form(struct texts *texts)
{
	struct launch_form form = {{0}};

	form.field[FORM_BASE] = form.field[FORM_NAME] = texts_number(texts, "CUDA graph");
	form.field[FORM_GRAPH] = 1;
	for (int i = FORM_REGISTERS; i <= FORM_LAUNCH_TYPE; i++)
		form.field[i] = RESOURCE_UNKNOWN;
	return form;
}

static void add_code_of(const struct gather *gather, int64_t process, struct launch_form *form)
{
	struct code code = codes_find(&gather->codes, process, (uint32_t)form->field[FORM_SYMBOL]);

	form->field[FORM_CODE] = (int64_t)code.hash;
	form->field[FORM_CODES] = code.known;
}

static bool has_launches(const struct work_columns *columns)
{
	return columns->table == TABLE_KERNEL || columns->table == TABLE_GRAPHTRACE;
}

/* Among `forms`. */
static uint32_t work_form(struct gather *gather, struct forms *forms, const struct work_columns *columns,
	const struct cursor *row, int64_t process)
{
	struct launch_form form;

	if (!has_launches(columns))
		return NO_FORM;
	form = columns->table == TABLE_KERNEL ? kernel_form(gather->out->texts, row) : graph_form(gather->out->texts);
	if (columns->table == TABLE_KERNEL) {
		add_code_of(gather, process, &form);
		clusters_find(&gather->clusters, process, cursor_int(row, KERNEL_correlationId),
			cursor_int(row, KERNEL_graphNodeId), &form.field[FORM_CLUSTER]);
	}
	return forms_place(forms, &form);
}

/* ---- rows ---- */

/* A kernel that communicates waits for other GPUs: it hides no copy. */
static enum work_class class_of_kernel(const struct gather *gather, uint32_t form)
{
	uint32_t base = (uint32_t)gather->forms.form[form].field[FORM_BASE];

	return kernel_communicates(texts_text(gather->out->texts, base)) ? WORK_OTHER : WORK_KERNEL;
}

/* What a copy moves, and how it counts. */
static void take_copy_of_run(const struct cursor *row, struct gathered_work *work)
{
	static const enum work_class classes[] = {
		[COPY_IN] = WORK_H2D, [COPY_OUT] = WORK_D2H, [COPY_ELSEWHERE] = WORK_OTHER};
	int kind = (int)cursor_int(row, MEMCPY_copyKind);
	int memory = copy_memory_kind(kind, (int)cursor_int(row, MEMCPY_srcKind), (int)cursor_int(row, MEMCPY_dstKind));
	char words[64];

	memory_words(memory, words, sizeof(words));
	work->cls = classes[copy_way(kind)];
	work->pageable = strcmp(words, "pageable") == 0;
	work->bytes = cursor_int(row, MEMCPY_bytes) > 0 ? cursor_int(row, MEMCPY_bytes) : 0;
}

static void count_launch(struct gather *gather, const struct gathered_work *work)
{
	gather->out->nlaunches++;
	gather->out->ns = int64_sum(gather->out->ns, work->end - work->start);
	numbering_place(&gather->processes, work->process);
	if (work->gpu != NO_GPU)
		numbering_place(&gather->gpus, work->gpu);
}

static void widen_run(struct gather *gather, int64_t start, int64_t end)
{
	gather->first = start < gather->first ? start : gather->first;
	gather->last = end > gather->last ? end : gather->last;
}

/* A kernel without times is missing from its step. Copies and memsets are no part of what is judged. */
static void note_untimed(
	struct gather *gather, const struct work_columns *columns, const struct cursor *row, int64_t process)
{
	gather->out->unusable++;
	if (!has_launches(columns))
		return;
	xgrow(&gather->untimed, gather->nuntimed, &gather->untimed_room, sizeof(*gather->untimed));
	gather->untimed[gather->nuntimed++] =
		(struct untimed_launch){process, work_form(gather, &gather->untimed_forms, columns, row, process)};
}

static void take_work_row(struct gather *gather, const struct work_columns *columns, const struct cursor *row)
{
	struct gathered_work work = {
		.start = cursor_time(row, columns->start),
		.end = cursor_time(row, columns->end),
		.process = cursor_int(row, columns->process),
		.correlation = cursor_int(row, columns->correlation),
		.node = columns->node < 0 ? 0 : cursor_int(row, columns->node),
		.call_start = CALL_UNKNOWN,
		.step = NO_STEP,
		.gpu = NO_GPU,
		.cls = WORK_OTHER,
	};
	int64_t device = cursor_int(row, columns->device);

	if (!times_usable(work.start, work.end)) {
		note_untimed(gather, columns, row, work.process);
		return;
	}
	work.form = work_form(gather, &gather->forms, columns, row, work.process);
	work.gpu = device_is_possible(device) ? device_of(&gather->devices, work.process, device) : NO_GPU;
	if (work.form != NO_FORM)
		work.cls = class_of_kernel(gather, work.form);
	else if (columns->table == TABLE_MEMCPY)
		take_copy_of_run(row, &work);
	widen_run(gather, work.start, work.end);
	if (work.form != NO_FORM)
		count_launch(gather, &work);
	xgrow(&gather->work, gather->n, &gather->room, sizeof(*gather->work));
	gather->work[gather->n++] = work;
}

static size_t add_column(int *list, size_t n, int column)
{
	if (column >= 0)
		list[n++] = column;
	return n;
}

static int read_work_table(struct gather *gather, const struct work_columns *columns, struct error *err)
{
	int wanted[WORK_COLUMNS_MOST];
	struct cursor *row;
	size_t n = 0;
	int more;

	n = add_column(wanted, n, columns->start);
	n = add_column(wanted, n, columns->end);
	n = add_column(wanted, n, columns->process);
	n = add_column(wanted, n, columns->correlation);
	n = add_column(wanted, n, columns->node);
	n = add_column(wanted, n, columns->device);
	for (size_t i = 0; i < columns->nmore; i++)
		n = add_column(wanted, n, columns->more[i]);
	row = store_columns(gather->store, columns->table, wanted, n, err);
	if (!row)
		return -1;
	while ((more = cursor_next(row, err)) > 0)
		take_work_row(gather, columns, row);
	cursor_close(row);
	return more;
}

static int busiest_gpu(struct gather *gather)
{
	int64_t *ns = xcalloc(gather->gpus.n + 1, sizeof(*ns));
	size_t busiest = 0;
	int gpu;

	for (size_t i = 0; i < gather->n; i++) {
		const struct gathered_work *work = &gather->work[i];
		int64_t *sum;

		if (work->form == NO_FORM || work->gpu == NO_GPU)
			continue;
		sum = &ns[numbering_place(&gather->gpus, work->gpu)];
		*sum = int64_sum(*sum, work->end - work->start);
	}
	for (size_t i = 1; i < gather->gpus.n; i++)
		busiest = ns[i] > ns[busiest] ? i : busiest;
	gpu = gather->gpus.n > 0 ? (int)gather->gpus.id[busiest] : -1;
	free(ns);
	return gpu;
}

int gather_work(struct gather *gather, struct error *err)
{
	if (devices_load(&gather->devices, gather->store, err) < 0 ||
		codes_read(&gather->codes, gather->store, gather->out->texts, err) < 0 ||
		clusters_read(&gather->clusters, gather->store, err) < 0)
		return -1;
	for (size_t i = 0; i < sizeof(work_tables) / sizeof(*work_tables); i++) {
		if (read_work_table(gather, &work_tables[i], err) < 0)
			return -1;
	}
	if (gather->n)
		gather->work = xreallocarray(gather->work, gather->n, sizeof(*gather->work));
	gather->room = gather->n;
	gather->out->processes = gather->processes.n;
	gather->out->gpus = gather->gpus.n;
	gather->out->gpu = busiest_gpu(gather);
	return losses_read(gather, err);
}
