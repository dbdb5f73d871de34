/* program-write.c: makes one recording from the spools of a traced program's processes. */
#include "config.h"

#include "trace/program.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "record/cupti/names.h"
#include "record/cupti/present.h"
#include "record/cupti/version.h"
#include "util/alloc.h"
#include "util/clock.h"

enum { MAX_GPUS = PROGRAM_GPUS };

/* A GPU of the machine. Processes number the GPUs that CUDA_VISIBLE_DEVICES lets them see; here each GPU has one
 * number. */
struct gpu {
	char uuid[PROGRAM_UUID];
	int64_t kernel_ns; /* of all processes */
};

/* What one spool says about its process. The texts are owned. */
struct process {
	struct value row[TRACEDPROCESS_NUMBER]; /* the last there was */
	char *command, *note;
	bool known;
	int64_t rows;        /* that are not about itself */
	int64_t deeds;       /* of these: work, calls and ranges */
	int gpu[MAX_GPUS];   /* the number here of each of its CUDA devices */
	bool told[MAX_GPUS]; /* it has told about this device */
	bool looked;         /* the whole spool was searched for devices */
};

struct writing {
	struct recording *rec;
	const struct program_options *options;
	struct program_result *result;
	struct process *process; /* of the spool that is being read */
	const char *spool;       /* its path */
	struct recording_edit edit;
	struct gpu gpus[MAX_GPUS];
	int ngpus;
	struct kernel_names names;
	struct error *err;
	int64_t calls;
	bool failed;
	bool torn;
};

/* ---- GPUs ---- */

static int64_t cell(const struct value *row, int column)
{
	return row[column].kind == VALUE_INT ? row[column].integer : 0;
}

static bool device_in_range(int64_t device)
{
	return device >= 0 && device < MAX_GPUS;
}

/* The number of the GPU with that UUID. A new GPU gets `device`, or the first number that is free. -1 if there are too
 * many. */
static int gpu_number(struct writing *w, const char *uuid, int device)
{
	for (int i = 0; i < MAX_GPUS; i++)
		if (strcmp(w->gpus[i].uuid, uuid) == 0)
			return i;
	for (int i = 0; i < MAX_GPUS && w->gpus[device].uuid[0] != '\0'; i++)
		device = i;
	if (w->gpus[device].uuid[0] != '\0')
		return -1;
	snprintf(w->gpus[device].uuid, sizeof(w->gpus[device].uuid), "%s", uuid);
	return device;
}

static void write_gpu(struct writing *w, const struct value *told, int number)
{
	struct value row[GPU_NUMBER];

	memcpy(row, told, sizeof(row));
	row[GPU_uuid] = (struct value){.kind = VALUE_NULL};
	row[GPU_id] = row[GPU_cuDevice] = VALUE_OF_INT(number);
	if (recording_row(w->rec, TABLE_GPU, row, w->err) < 0)
		w->failed = true;
}

/* Writes a GPU when it is seen for the first time. Its UUID is left out, because recordings are passed on. */
static void take_gpu(struct writing *w, const struct value *row)
{
	int64_t device = cell(row, GPU_cuDevice);
	const char *uuid = row[GPU_uuid].kind == VALUE_TEXT ? row[GPU_uuid].text : "";
	bool is_new = true;
	int number;

	if (!device_in_range(device))
		return;
	for (int i = 0; i < MAX_GPUS; i++)
		is_new = is_new && strcmp(w->gpus[i].uuid, uuid) != 0;
	number = gpu_number(w, uuid, (int)device);
	if (number < 0)
		return;
	if (w->process->gpu[device] != number)
		w->edit.version++;
	w->process->gpu[device] = number;
	w->process->told[device] = true;
	if (is_new)
		write_gpu(w, row, number);
}

static bool take_only_gpus(void *user, enum table_id table, const struct value *row)
{
	if (table == TABLE_GPU)
		take_gpu(user, row);
	return false;
}

/* CUPTI tells about a device before it tells of work on it, but does not promise that. If it did not, the devices are
 * looked for in all of the spool. */
static void look_for_gpus(struct writing *w)
{
	const struct recording_edit look = {.user = w, .take = take_only_gpus};
	bool torn;

	if (w->process->looked)
		return;
	w->process->looked = true;
	if (recording_edit_spool(NULL, w->spool, &look, &torn, w->err) != 0)
		w->failed = true;
}

/* The number of the GPU that the process calls `device`, which is in range. */
static int gpu_of_device(struct writing *w, int64_t device)
{
	if (!w->process->told[device])
		look_for_gpus(w);
	return w->process->gpu[device];
}

static void renumber(struct writing *w, struct value *row, int column)
{
	int64_t device = row[column].integer;

	if (row[column].kind == VALUE_INT && device_in_range(device))
		row[column].integer = gpu_of_device(w, device);
}

static void add_kernel_time(struct writing *w, const struct value *row)
{
	int64_t device = cell(row, KERNEL_deviceId), ns = cell(row, KERNEL_end) - cell(row, KERNEL_start);

	if (ns > 0 && device_in_range(device))
		w->gpus[gpu_of_device(w, device)].kernel_ns += ns;
}

/* CUPTI tells of all devices that a process sees, so the first one need not be in use. */
static void tell_gpus(struct writing *w)
{
	const struct gpu *best = NULL;

	for (int i = 0; i < MAX_GPUS; i++) {
		memcpy(w->result->gpus[i], w->gpus[i].uuid, PROGRAM_UUID);
		w->result->gpu_ns[i] = w->gpus[i].kernel_ns;
		if (w->gpus[i].uuid[0] != '\0' && (!best || w->gpus[i].kernel_ns > best->kernel_ns))
			best = &w->gpus[i];
	}
	if (best)
		snprintf(w->result->gpu, sizeof(w->result->gpu), "%s", best->uuid);
}

/* ---- the process of a spool ---- */

static void keep_text_of(struct value *value, char **text)
{
	free(*text);
	*text = value->kind == VALUE_TEXT && value->text ? xstrdup(value->text) : NULL;
	*value = VALUE_OF_TEXT(*text);
}

static void take_process(struct writing *w, const struct value *row)
{
	struct process *p = w->process;

	memcpy(p->row, row, sizeof(p->row));
	keep_text_of(&p->row[TRACEDPROCESS_command], &p->command);
	keep_text_of(&p->row[TRACEDPROCESS_note], &p->note);
	p->known = true;
}

/* ---- all other rows ---- */

static void name_kernel(struct writing *w, struct value *row)
{
	const char *mangled = row[KERNEL_mangledName].kind == VALUE_TEXT ? row[KERNEL_mangledName].text : NULL;
	const struct kernel_name *name = kernel_names_get(&w->names, !mangled ? "unknown" : mangled);

	row[KERNEL_demangledName] = VALUE_OF_TEXT(name->demangled);
	row[KERNEL_shortName] = VALUE_OF_TEXT(name->short_);
	row[KERNEL_mangledName] = VALUE_OF_TEXT(name->mangled);
}

/* The columns that change() looks at and changes. */
static const struct {
	enum table_id table;
	int devices[4]; /* ended by -1 */
} with_devices[] = {
	{TABLE_KERNEL, {KERNEL_deviceId, -1}},
	{TABLE_MEMCPY, {MEMCPY_deviceId, MEMCPY_srcDeviceId, MEMCPY_dstDeviceId, -1}},
	{TABLE_MEMSET, {MEMSET_deviceId, -1}},
	{TABLE_SYNCHRONIZATION, {SYNCHRONIZATION_deviceId, -1}},
	{TABLE_CUDAEVENT, {CUDAEVENT_deviceId, -1}},
	{TABLE_CONTEXT, {CONTEXT_deviceId, -1}},
};

enum { WITH_DEVICES = sizeof(with_devices) / sizeof(*with_devices) };

static void set_columns(struct recording_edit *edit)
{
	for (size_t i = 0; i < WITH_DEVICES; i++)
		for (const int *column = with_devices[i].devices; *column >= 0; column++)
			edit->columns[with_devices[i].table] |= UINT64_C(1) << *column;
	edit->columns[TABLE_KERNEL] |= UINT64_C(1) << KERNEL_demangledName | UINT64_C(1) << KERNEL_shortName |
				       UINT64_C(1) << KERNEL_mangledName;
}

static void change(void *user, enum table_id table, struct value *row)
{
	struct writing *w = user;

	for (size_t i = 0; i < WITH_DEVICES; i++)
		for (const int *column = with_devices[i].devices; with_devices[i].table == table && *column >= 0;
			column++)
			renumber(w, row, *column);
	if (table == TABLE_KERNEL)
		name_kernel(w, row);
}

/* Counts a row. False for what is written in another way. */
static bool take(void *user, enum table_id table, const struct value *row)
{
	struct writing *w = user;

	w->process->deeds += table == TABLE_KERNEL || table == TABLE_MEMCPY || table == TABLE_MEMSET ||
			     table == TABLE_RUNTIME || table == TABLE_NVTX;
	w->process->rows += table != TABLE_TRACEDPROCESS && table != TABLE_GPU;
	switch (table) {
	case TABLE_KERNEL:
		w->result->kernels++;
		add_kernel_time(w, row);
		return true;
	case TABLE_MEMCPY:
		w->result->copies += cell(row, MEMCPY_copyCount);
		return true;
	case TABLE_MEMSET:
		w->result->memsets++;
		return true;
	case TABLE_RUNTIME:
		w->calls++;
		return true;
	case TABLE_NVTX:
		w->result->ranges += row[NVTX_end].kind != VALUE_NULL;
		return true;
	case TABLE_TRACEDPROCESS:
		take_process(w, row);
		return false;
	case TABLE_GPU:
		take_gpu(w, row);
		return false;
	default:
		return true;
	}
}

/* Also if what was called from above has failed, which has said why. */
static bool must_stop(void *user, struct error *err)
{
	const struct writing *w = user;

	if (!w->failed && !w->result->hurried && w->options->interrupted(w->options->user)) {
		error_set(err, "interrupted");
		return true;
	}
	return w->failed;
}

#define ENDED_EARLY "it was killed, crashed, called _exit() or exec(), or still runs: "

/* Why the end of a process is missing, or all of it, unless something better is known. */
static const char *missing_end(const struct process *p, bool torn)
{
	if (p->note || cell(p->row, TRACEDPROCESS_finished) != 0)
		return p->note;
	if (p->deeds == 0)
		return torn ? "it ended while it wrote: " PROGRAM_LOST_ALL : ENDED_EARLY PROGRAM_LOST_ALL;
	return torn ? "it ended while it wrote: " PROGRAM_CUT_OFF : ENDED_EARLY PROGRAM_CUT_OFF;
}

static int write_process(struct writing *w, struct error *err)
{
	struct process *p = w->process;
	const char *note = missing_end(p, w->torn);

	w->result->processes++;
	w->result->dropped += cell(p->row, TRACEDPROCESS_dropped);
	w->result->untimed += cell(p->row, TRACEDPROCESS_untimed);
	if (note)
		error_set(&w->result->why, "process %lld: %s", (long long)cell(p->row, TRACEDPROCESS_pid), note);
	p->row[TRACEDPROCESS_note] = VALUE_OF_TEXT(note);
	return recording_row(w->rec, TABLE_TRACEDPROCESS, p->row, err);
}

static void take_unknown(struct writing *w, const char *path)
{
	w->result->processes++;
	error_set(&w->result->why,
		w->process->rows == 0
			? "process %ld: it ended, or the disk was full, before anything of it was recorded"
			: "process %ld: what it told about itself is missing",
		program_process_of(path));
}

/* Under sudo a process has its records in a file that only it can read. */
static void take_unreadable(struct writing *w, const char *path)
{
	w->result->processes++;
	error_set(&w->result->why, "process %ld: it ran as another user, and its records cannot be read",
		program_process_of(path));
}

static int write_spool(void *user, const char *path, struct error *err)
{
	struct writing *w = user;
	struct process process = {0};
	int code = -1;

	for (int i = 0; i < MAX_GPUS; i++)
		process.gpu[i] = i;
	if (access(path, R_OK) != 0 && errno == EACCES) {
		take_unreadable(w, path);
		return 0;
	}
	w->process = &process;
	w->spool = path;
	w->err = err;
	w->edit.version++;
	if (!must_stop(w, err))
		code = recording_edit_spool(w->rec, path, &w->edit, &w->torn, err);
	if (code == 0 && !process.known)
		take_unknown(w, path);
	else if (code == 0)
		code = write_process(w, err);
	free(process.command);
	free(process.note);
	return w->failed ? -1 : code;
}

/* ---- facts ---- */

int program_write_facts(struct recording *rec, const char *kind, const char *command, int64_t start, struct error *err)
{
	time_t seconds = (time_t)(start / 1000000000);
	char created[32], driver[VERSION_TEXT];
	struct tm utc;

	if (!gmtime_r(&seconds, &utc) || strftime(created, sizeof(created), "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
		return error_set(err, "the time of day cannot be told: set the clock");
	if (recording_meta(rec, "dbprof", PACKAGE_VERSION, err) < 0 || recording_meta(rec, "kind", kind, err) < 0 ||
		recording_meta(rec, "created", created, err) < 0 || recording_meta(rec, "command", command, err) < 0)
		return -1;
	return driver_version(driver, sizeof(driver)) == 0 ? recording_meta(rec, "driver", driver, err) : 0;
}

static bool has_driver(void)
{
	char driver[VERSION_TEXT];

	return driver_version(driver, sizeof(driver)) == 0;
}

bool program_without_gpu(void)
{
	return !has_driver() && !device_present();
}

/* What stands in the way of CUDA, to be said before what the program did; "" if nothing is known to. */
static const char *program_lacks(void)
{
	if (has_driver())
		return "";
	return device_present() ? "no NVIDIA driver in this machine, and " : "no NVIDIA GPU in this machine, and ";
}

/* The usual reasons why a process does not have our environment. */
#define NOT_PASSED_ON "the environment was not passed on (as by env -i, sudo, a container, srun)"
#define NOT_LOADED "no process loaded dbprof's library"

/* Work on the GPU that our library did not see, or may not have seen. */
static bool tell_stray(const struct stray *stray, bool alone, struct program_result *result)
{
	long pid = (long)stray->pid;

	if (stray->kind == STRAY_CUDA)
		error_set(&result->why,
			"process %ld (%s) loaded libraries of CUDA, but not dbprof's: " NOT_PASSED_ON
			", and what it may have done on the GPU is not recorded",
			pid, stray->name);
	else if (stray->kind == STRAY_HIDDEN && alone && !result->without_gpu)
		error_set(&result->why,
			NOT_LOADED ", and process %ld (%s) ran as another user: whether it used CUDA is not known", pid,
			stray->name);
	return result->why.text[0] != '\0';
}

/* Whether the program is one that starts others where our environment does not come, and where we see nothing. */
static bool starts_elsewhere(const char *program)
{
	static const char *const names[] = {"docker", "doas", "kubectl", "machinectl", "nerdctl", "podman", "runuser",
		"srun", "ssh", "su", "sudo", "systemd-run"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i], program) == 0)
			return true;
	return false;
}

/* No process called anything of CUDA that our library knows of. */
static void tell_unused(const struct program_options *options, const struct stray *stray, struct program_result *result)
{
	const char *lacks = program_lacks(), *slash = strrchr(options->argv[0], '/');
	const char *program = slash ? slash + 1 : options->argv[0];
	bool nobody_left = result->going_on == 0 || (result->without_gpu && result->processes == 0);
	bool is_elsewhere = !result->without_gpu && result->processes == 0 && starts_elsewhere(program);

	result->incomplete = nobody_left && is_elsewhere;
	if (result->incomplete)
		error_set(&result->why,
			NOT_LOADED ", but what %s starts may not have its environment, and is not seen: whether it "
				   "used CUDA is not known",
			program);
	else if (!nobody_left)
		error_set(&result->why, "%snone of its processes had used CUDA when dbprof stopped waiting", lacks);
	else if (*lacks != '\0' || result->processes > 0)
		error_set(&result->why, "%sit used no CUDA", lacks);
	else if (stray->kind == STRAY_BARE)
		error_set(&result->why,
			NOT_LOADED ": it used no CUDA that dbprof saw, but to process %ld (%s) " NOT_PASSED_ON,
			(long)stray->pid, stray->name);
	else
		error_set(&result->why, NOT_LOADED ": it used no CUDA, or " NOT_PASSED_ON);
}

static void program_write_judge(
	const struct program_options *options, const struct stray *stray, int64_t calls, struct program_result *result)
{
	bool worked = result->kernels + result->copies + result->memsets > 0;

	result->recorded = worked || result->ranges > 0;
	result->incomplete = result->why.text[0] != '\0' || tell_stray(stray, result->processes == 0, result);
	if (worked || result->incomplete)
		return;
	result->incomplete = result->processes > 0 && calls == 0 && result->ranges == 0;
	if (result->incomplete)
		error_set(&result->why,
			"it started CUDA, but called nothing of it, or a profiler of its own took CUPTI over");
	else if (calls == 0)
		tell_unused(options, stray, result);
	else
		error_set(&result->why, "none of its work on the GPU had ended when it did: "
					"it launched or copied nothing, or did not wait for it");
}

int program_write(struct recording *rec, const char *folder, const struct program_options *options, int64_t start,
	const struct stray *stray, struct program_result *result, struct error *err)
{
	struct writing w = {.rec = rec, .options = options, .result = result};
	int code;

	w.edit = (struct recording_edit){.user = &w, .take = take, .change = change, .stop = must_stop};
	set_columns(&w.edit);
	code = program_write_facts(rec, "program", options->command, start, err);
	if (code == 0)
		code = program_spools(folder, write_spool, &w, err);
	kernel_names_free(&w.names);
	tell_gpus(&w);
	if (code == 0)
		program_write_judge(options, stray, w.calls, result);
	return code;
}
