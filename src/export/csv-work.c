/* csv-work.c: see csv-work.h. */
#include "export/csv-work.h"

#include "export/callers.h"
#include "export/cells.h"
#include "export/state.h"
#include "store/copies.h"
#include "store/event.h"

static int csv_work_begin(struct export *ex)
{
	csv_header(ex, "start_ns,end_ns,duration_ns,device,context,process,stream,class,name,bytes,src,dst,correlation,"
		       "thread,call,call_start_ns,call_end_ns,range,domain");
	ex->state = callers_open(ex);
	return ex->state ? 0 : -1;
}

static const char *class_cell(const struct export_work *work)
{
	static const char *const ways[] = {[COPY_IN] = "h2d", [COPY_OUT] = "d2h", [COPY_ELSEWHERE] = "other"};

	if (work->table == TABLE_KERNEL)
		return "kernel";
	return work->table == TABLE_MEMCPY ? ways[copy_way(work->copy_kind)] : "other";
}

static void memory_cell(struct export *ex, int kind)
{
	char words[64] = "";

	if (kind >= 0)
		memory_words(kind, words, sizeof(words));
	csv_text(ex, words);
}

static void caller_cells(struct export *ex, const struct caller *caller)
{
	if (caller) {
		csv_int(ex, tid_of(caller->thread));
		csv_text(ex, caller->name);
		csv_int(ex, caller->start);
		csv_int(ex, caller->end);
	} else {
		for (int i = 0; i < 4; i++)
			csv_text(ex, NULL);
	}
	csv_text(ex, caller ? caller->range : NULL);
	csv_text(ex, caller ? caller->domain : NULL);
}

static void csv_work_row(struct export *ex, const struct export_work *work)
{
	struct caller caller;
	int found = callers_find(ex->state, work, &caller);

	if (found < 0) {
		ex->failed = true;
		return;
	}
	csv_times(ex, work->start, work->end);
	csv_int(ex, work->device);
	csv_int(ex, work->context);
	csv_int(ex, pid_of(work->process));
	csv_int(ex, work->stream);
	csv_text(ex, class_cell(work));
	csv_text(ex, work->name);
	if (work->bytes < 0)
		csv_text(ex, NULL);
	else
		csv_int(ex, work->bytes);
	memory_cell(ex, work->src_kind);
	memory_cell(ex, work->dst_kind);
	csv_int(ex, work->correlation);
	caller_cells(ex, found ? &caller : NULL);
	csv_end(ex);
}

static void csv_work_free_state(struct export *ex)
{
	callers_close(ex->state);
}

const struct export_hooks csv_work_hooks = {
	.begin = csv_work_begin, .work = csv_work_row, .free = csv_work_free_state, .joins = true};
