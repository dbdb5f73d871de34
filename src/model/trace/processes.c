/* processes.c: the processes of a traced program, each with its threads and its part of the device work. */
#include "model/trace/processes.h"

#include <stdlib.h>

#include "model/recording.h"
#include "model/rows-json.h"
#include "store/event.h"
#include "store/rowset.h"
#include "model/trace/overlap.h"
#include "model/trace/trace.h"
#include "store/store.h"
#include "tree/json.h"
#include "util/alloc.h"
#include "util/number.h"

/* A process, and its row of DBPROF_PROCESS, or SIZE_MAX. */
struct told {
	int64_t pid;
	size_t row;
};

static int by_process(const void *left, const void *right)
{
	const struct activity *a = *(const struct activity *const *)left, *b = *(const struct activity *const *)right;
	int order = int64_order(pid_of(a->process), pid_of(b->process));

	return order ? order : (a > b) - (a < b);
}

static size_t first_of(const struct work_list *work, int64_t pid)
{
	size_t low = 0, high = work->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (pid_of(work->item[middle]->process) < pid)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* G of the work of one process; `work` is sorted by process. */
static json_t *process_gpus(const struct model *model, const struct work_list *work, int64_t pid)
{
	size_t first = first_of(work, pid), end = first_of(work, int64_sum(pid, 1));
	struct work_list own = {work->item + first, end - first};

	return gpus_json(model, &own);
}

static json_t *processes_process_name(const struct model *model, int64_t pid)
{
	struct rows named = rows_numbered(&model->table[TABLE_PROCESS], PROCESS_pid, pid);

	return named.count ? row_json(&named, 0, PROCESS_name) : json_null();
}

static json_t *process_threads(const struct model *model, int64_t pid)
{
	struct rows threads = rows_all(&model->table[TABLE_THREAD]);
	json_t *list = json_array();

	for (size_t i = 0; i < threads.count; i++) {
		int64_t thread = row_int(&threads, i, THREAD_globalTid);
		json_t *entry;

		if (pid_of(thread) != pid)
			continue;
		entry = json_object();
		put_json(entry, "tid", json_integer(thread & 0xFFFFFF));
		put_json(entry, "name", row_json(&threads, i, THREAD_nameId));
		append_json(list, entry);
	}
	return list;
}

static void put_told(json_t *entry, const struct model *model, size_t row)
{
	static const struct field fields[] = {
		{"parent", TRACEDPROCESS_parent},
		{"command", TRACEDPROCESS_command},
		{"start_ns", TRACEDPROCESS_start},
		{"end_ns", TRACEDPROCESS_end},
		{"dropped", TRACEDPROCESS_dropped},
		{"untimed", TRACEDPROCESS_untimed},
		{"note", TRACEDPROCESS_note},
	};
	struct rows rows = rows_all(&model->table[TABLE_TRACEDPROCESS]);
	int finished = -1;

	if (row == SIZE_MAX) {
		for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
			put_json(entry, fields[i].key, json_null());
	} else {
		put_fields(entry, &rows, row, fields, sizeof(fields) / sizeof(fields[0]));
		if (!row_null(&rows, row, TRACEDPROCESS_finished))
			finished = row_int(&rows, row, TRACEDPROCESS_finished) != 0;
	}
	put_json(entry, "finished", flag_json(finished));
}

static json_t *process_json(const struct model *model, const struct work_list *work, const struct told *told)
{
	json_t *entry = json_object();

	put_json(entry, "pid", json_integer(told->pid));
	put_json(entry, "name", processes_process_name(model, told->pid));
	put_told(entry, model, told->row);
	put_json(entry, "threads", process_threads(model, told->pid));
	put_json(entry, "gpus", process_gpus(model, work, told->pid));
	return entry;
}

/* A program may start thousands, say one for each of its files. */
enum { PROCESSES_TOLD = 2000 };

/* Adds a process to the list, or notes that there are too many. */
static void processes_add_process(
	const struct model *model, json_t *list, const struct work_list *work, const struct told *told, size_t *gpus)
{
	json_t *entry;

	if (json_array_size(list) >= PROCESSES_TOLD || *gpus >= GPUS_TOLD) {
		model_note_facts(model,
			json_pack("{s:s, s:I}", "id", "processes-left-out", "told", (json_int_t)json_array_size(list)));
		return;
	}
	entry = process_json(model, work, told);
	*gpus += json_array_size(json_object_get(entry, "gpus"));
	append_json(list, entry);
}

/* Where no table tells of processes: those that have device work and are numbered. */
static json_t *working_processes(const struct model *model, const struct work_list *work)
{
	json_t *list = json_array();
	size_t gpus = 0;

	for (size_t i = 0; i < work->n; i++) {
		struct told told = {pid_of(work->item[i]->process), SIZE_MAX};

		if (told.pid != 0 && (i == 0 || pid_of(work->item[i - 1]->process) != told.pid))
			processes_add_process(model, list, work, &told, &gpus);
	}
	return list;
}

static json_t *traced_processes(const struct model *model, const struct work_list *work)
{
	struct rows rows = rows_all(&model->table[TABLE_TRACEDPROCESS]);
	json_t *list = json_array();
	size_t gpus = 0;

	for (size_t i = 0; i < rows.count; i++) {
		struct told told = {row_int(&rows, i, TRACEDPROCESS_pid), i};

		processes_add_process(model, list, work, &told, &gpus);
	}
	return list;
}

json_t *processes_json(const struct model *model)
{
	struct work_list work;
	json_t *list;

	work_all(model, &work);
	if (work.n > 1)
		qsort(work.item, work.n, sizeof(*work.item), by_process);
	list = model->table[TABLE_TRACEDPROCESS].nrows ? traced_processes(model, &work)
						       : working_processes(model, &work);
	free(work.item);
	return list;
}
