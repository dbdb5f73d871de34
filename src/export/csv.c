/* csv.c: the tables of CSV that have a row per event, and the list of all tables. */
#include "export/csv.h"

#include <math.h>
#include <string.h>

#include "export/cells.h"
#include "export/csv-model.h"
#include "export/csv-work.h"
#include "export/state.h"
#include "store/event.h"

/* ---- calls ---- */

static int calls_begin(struct export *ex)
{
	csv_header(ex, "start_ns,end_ns,duration_ns,process,thread,api,name,result,correlation");
	return 0;
}

static void calls_row(struct export *ex, const struct export_call *call)
{
	csv_times(ex, call->start, call->end);
	csv_int(ex, pid_of(call->thread));
	csv_int(ex, tid_of(call->thread));
	csv_text(ex, call->driver ? "driver" : "runtime");
	csv_text(ex, call->name);
	csv_int(ex, call->result);
	csv_int(ex, call->correlation);
	csv_end(ex);
}

/* ---- ranges ---- */

static int ranges_begin(struct export *ex)
{
	csv_header(ex, "start_ns,end_ns,duration_ns,process,thread,kind,domain,name,category,color");
	return 0;
}

static void ranges_row(struct export *ex, const struct export_range *range)
{
	static const char *const kinds[] = {
		[EXPORT_PUSH_POP] = "push/pop", [EXPORT_START_END] = "start/end", [EXPORT_MARK] = "mark"};

	csv_times(ex, range->start, range->end);
	csv_int(ex, pid_of(range->thread));
	csv_int(ex, tid_of(range->thread));
	csv_text(ex, kinds[range->kind]);
	csv_text(ex, range->domain);
	csv_text(ex, range->text);
	csv_column(ex, range->row, NVTX_category);
	csv_column(ex, range->row, NVTX_color);
	csv_end(ex);
}

/* ---- synchronisations ---- */

static int syncs_begin(struct export *ex)
{
	csv_header(ex, "start_ns,end_ns,duration_ns,process,device,context,stream,event,name,correlation");
	return 0;
}

static void id_or_nothing(struct export *ex, int64_t id)
{
	if (id < 0)
		csv_text(ex, NULL);
	else
		csv_int(ex, id);
}

static void syncs_row(struct export *ex, const struct export_wait *wait)
{
	csv_times(ex, wait->start, wait->end);
	csv_int(ex, pid_of(wait->process));
	csv_int(ex, wait->device);
	csv_int(ex, wait->context);
	id_or_nothing(ex, wait->stream);
	id_or_nothing(ex, wait->event);
	csv_text(ex, wait->name);
	csv_int(ex, wait->correlation);
	csv_end(ex);
}

/* ---- counters ---- */

static int counters_begin(struct export *ex)
{
	csv_header(ex, "start_ns,end_ns,device,counter,unit,value");
	return 0;
}

static void counters_row(struct export *ex, const struct export_counter *counter)
{
	csv_int(ex, counter->start);
	csv_int(ex, counter->end);
	csv_int(ex, counter->device);
	csv_text(ex, counter->name);
	csv_text(ex, counter->unit);
	csv_real(ex, counter->value);
	csv_end(ex);
}

/* ---- diagnostics ---- */

static int diagnostics_begin(struct export *ex)
{
	csv_header(ex, "time_ns,process,severity,text");
	return 0;
}

static void diagnostics_row(struct export *ex, const struct export_note *note)
{
	csv_int(ex, note->time);
	csv_int(ex, pid_of(note->process));
	csv_text(ex, note->severity);
	csv_text(ex, note->text);
	csv_end(ex);
}

/* ---- samples ---- */

static int sample_row(struct export *ex, const struct cursor *row)
{
	static const int texts[] = {SAMPLE_family, SAMPLE_variant, SAMPLE_caseLabel};
	static const int numbers[] = {SAMPLE_run, SAMPLE_block, SAMPLE_position, SAMPLE_launches};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		csv_text(ex, cursor_text(row, texts[i]));
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		csv_column(ex, row, numbers[i]);
	csv_real(ex, cursor_real(row, SAMPLE_ns));
	csv_column(ex, row, SAMPLE_smClockMhz);
	csv_real(ex, cursor_null(row, SAMPLE_measuredMhz) ? NAN : cursor_real(row, SAMPLE_measuredMhz));
	csv_end(ex);
	return export_step(ex);
}

static int samples_all(struct export *ex)
{
	struct cursor *cursor = store_rows(ex->store, TABLE_SAMPLE, -1, ex->err);
	int got = -1;

	csv_header(ex, "family,variant,case,run,block,position,launches,ns_per_launch,nvml_sm_mhz,measured_sm_mhz");
	while (cursor && (got = cursor_next(cursor, ex->err)) == 1) {
		if (sample_row(ex, cursor) < 0) {
			got = -1;
			break;
		}
	}
	cursor_close(cursor);
	return got;
}

/* ---- the tables ---- */

static const struct export_hooks calls = {.begin = calls_begin, .call = calls_row};
static const struct export_hooks ranges = {.begin = ranges_begin, .range = ranges_row};
static const struct export_hooks syncs = {.begin = syncs_begin, .wait = syncs_row};
static const struct export_hooks counters = {.begin = counters_begin, .counter = counters_row};
static const struct export_hooks diagnostics = {.begin = diagnostics_begin, .note = diagnostics_row};
static const struct export_hooks samples = {.begin = samples_all};

static const struct export_table tables[EXPORT_TABLES] = {
	[EXPORT_WORK] = {.hooks = &csv_work_hooks},
	[EXPORT_CALLS] = {.hooks = &calls},
	[EXPORT_RANGES] = {.hooks = &ranges},
	[EXPORT_SYNCS] = {.hooks = &syncs},
	[EXPORT_COUNTERS] = {.hooks = &counters},
	[EXPORT_DIAGNOSTICS] = {.hooks = &diagnostics},
	[EXPORT_GPUS] = {.tree = csv_gpus},
	[EXPORT_FAMILIES] = {.tree = csv_families},
	[EXPORT_POINTS] = {.tree = csv_points},
	[EXPORT_SAMPLES] = {.hooks = &samples},
};

const struct export_table *export_table_find(const char *name)
{
	for (int i = 0; i < EXPORT_TABLES; i++) {
		if (strcmp(export_tables[i], name) == 0)
			return &tables[i];
	}
	return NULL;
}
