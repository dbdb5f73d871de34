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

/* A sweep over the work of a process on a GPU. */
struct process_sweep {
	int64_t pid;
	uint32_t gpu; /* place in trace.gpus */
	struct overlap_sweep sweep;
};

/* Those of all processes, by process and GPU. */
struct process_sweeps {
	struct process_sweep *item;
	size_t n;
};

static int by_process_and_gpu(const void *left, const void *right)
{
	const struct process_sweep *a = left, *b = right;

	return a->pid != b->pid ? int64_order(a->pid, b->pid) : int64_order(a->gpu, b->gpu);
}

static void find_process_sweeps(struct process_sweeps *sweeps, const struct trace *trace)
{
	sweeps->item = xcalloc(trace->nlanes + 1, sizeof(*sweeps->item));
	for (size_t i = 0; i < trace->nlanes; i++)
		sweeps->item[i] =
			(struct process_sweep){.pid = pid_of(trace->lanes[i].process), .gpu = trace->lanes[i].gpu};
	if (trace->nlanes > 1)
		qsort(sweeps->item, trace->nlanes, sizeof(*sweeps->item), by_process_and_gpu);
	for (size_t i = 0; i < trace->nlanes; i++) {
		if (sweeps->n == 0 || by_process_and_gpu(&sweeps->item[sweeps->n - 1], &sweeps->item[i]) != 0)
			sweeps->item[sweeps->n++] = sweeps->item[i];
	}
}

/* The place of each lane's sweep, for free(). */
static uint32_t *sweeps_of_lanes(const struct process_sweeps *sweeps, const struct trace *trace)
{
	uint32_t *of_lane = xcalloc(trace->nlanes + 1, sizeof(*of_lane));

	for (size_t i = 0; i < trace->nlanes; i++) {
		size_t place = FIRST_FROM(sweeps->item, sweeps->n, pid, pid_of(trace->lanes[i].process));

		while (sweeps->item[place].gpu != trace->lanes[i].gpu)
			place++;
		of_lane[i] = (uint32_t)place;
	}
	return of_lane;
}

/* Sweeps the work on GPUs that several processes used. */
static void sweep_shared_gpus(struct process_sweeps *sweeps, const struct trace *trace, const size_t *users)
{
	uint32_t *of_lane = sweeps_of_lanes(sweeps, trace);

	for (size_t i = 0; i < trace->nwork; i++) {
		const struct work_lane *lane = work_lane(trace, i);

		if (users[lane->gpu] > 1)
			overlap_add(&sweeps->item[of_lane[trace->lane[i]]].sweep,
				&(struct device_work){trace->start[i], trace->end[i], (enum work_class)lane->cls});
	}
	free(of_lane);
}

struct process_sweeps *process_sweeps_new(const struct trace *trace, const struct gpu_sweeps *all)
{
	struct process_sweeps *sweeps = xcalloc(1, sizeof(*sweeps));
	size_t *users = xcalloc(trace->ngpus + 1, sizeof(*users)); /* by GPU: how many processes have work on it */
	bool shared = false;

	find_process_sweeps(sweeps, trace);
	for (size_t i = 0; i < sweeps->n; i++)
		shared |= ++users[sweeps->item[i].gpu] > 1;
	if (shared)
		sweep_shared_gpus(sweeps, trace, users);
	for (size_t i = 0; i < sweeps->n; i++) {
		if (users[sweeps->item[i].gpu] == 1)
			sweeps->item[i].sweep = all->gpu[sweeps->item[i].gpu].sweep;
	}
	free(users);
	return sweeps;
}

void process_sweeps_free(struct process_sweeps *sweeps)
{
	free(sweeps->item);
	free(sweeps);
}

static json_t *process_gpus(const struct model *model, const struct process_sweeps *sweeps, int64_t pid)
{
	json_t *gpus = json_array();

	for (size_t i = FIRST_FROM(sweeps->item, sweeps->n, pid, pid); i < sweeps->n && sweeps->item[i].pid == pid;
		i++) {
		struct overlap_sweep sweep = sweeps->item[i].sweep;
		struct overlap overlap;

		overlap_end(&sweep, &overlap);
		append_json(gpus, overlap_json(model, model->trace.gpus[sweeps->item[i].gpu], &overlap));
	}
	return gpus;
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

static json_t *process_json(const struct model *model, const struct process_sweeps *processes, const struct told *told)
{
	json_t *entry = json_object();

	put_json(entry, "pid", json_integer(told->pid));
	put_json(entry, "name", processes_process_name(model, told->pid));
	put_told(entry, model, told->row);
	put_json(entry, "threads", process_threads(model, told->pid));
	put_json(entry, "gpus", process_gpus(model, processes, told->pid));
	return entry;
}

/* A program may start thousands, say one for each of its files. */
enum { PROCESSES_TOLD = 2000 };

struct processes_so_far {
	size_t gpus, left_out;
};

/* Adds a process to the list, or notes that there are too many. */
static void processes_add_process(const struct model *model, json_t *list, const struct process_sweeps *processes,
	const struct told *told, struct processes_so_far *so_far)
{
	json_t *entry;

	if (json_array_size(list) >= PROCESSES_TOLD || so_far->gpus >= GPUS_TOLD) {
		so_far->left_out++;
		model_note_facts(model,
			json_pack("{s:s, s:I}", "id", "processes-left-out", "told", (json_int_t)json_array_size(list)));
		return;
	}
	entry = process_json(model, processes, told);
	so_far->gpus += json_array_size(json_object_get(entry, "gpus"));
	append_json(list, entry);
}

/* Where no table tells of processes: those that have device work and are numbered. */
static json_t *working_processes(
	const struct model *model, const struct process_sweeps *processes, struct processes_so_far *so_far)
{
	json_t *list = json_array();

	for (size_t i = 0; i < processes->n; i++) {
		struct told told = {processes->item[i].pid, SIZE_MAX};

		if (told.pid != 0 && (i == 0 || processes->item[i - 1].pid != told.pid))
			processes_add_process(model, list, processes, &told, so_far);
	}
	return list;
}

static json_t *traced_processes(
	const struct model *model, const struct process_sweeps *processes, struct processes_so_far *so_far)
{
	struct rows rows = rows_all(&model->table[TABLE_TRACEDPROCESS]);
	json_t *list = json_array();

	for (size_t i = 0; i < rows.count; i++) {
		struct told told = {row_int(&rows, i, TRACEDPROCESS_pid), i};

		processes_add_process(model, list, processes, &told, so_far);
	}
	return list;
}

void processes_put(const struct model *model, const struct process_sweeps *sweeps, json_t *program)
{
	struct processes_so_far so_far = {0};

	put_json(program, "processes",
		model->table[TABLE_TRACEDPROCESS].nrows ? traced_processes(model, sweeps, &so_far)
							: working_processes(model, sweeps, &so_far));
	if (so_far.left_out > 0)
		put_json(program, "processes_left_out", json_pack("{s:I}", "count", (json_int_t)so_far.left_out));
}
