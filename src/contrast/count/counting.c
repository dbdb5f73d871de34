/* counting.c: see counting.h. One kernel and one of its groups is counted at a time; its passes take one launch each.
 */
#include "contrast/count/counting.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include "contrast/count/results.h"
#include "contrast/count/sampling.h"
#include "contrast/count/session.h"
#include "record/cupti/activity.h"
#include "util/clock.h"
#include "util/file/held.h"

enum { MISSES_MOST = 8, FEW_PASSES = 8 };

/* What is known of a kernel of the plan. */
struct counted_kernel {
	atomic_uint_least64_t seen; /* launches that the process has asked for */
	atomic_bool is_done;        /* all its groups are counted, or it is given up */
	size_t next;                /* of its groups */
	uint64_t cluster[3];        /* of the launches that are counted; goes with has_cluster */
	bool has_cluster;
	const char *_Atomic missed[MISSES_MOST]; /* what was told */
};

static struct {
	struct count_plan plan;
	char plan_path[PATH_MAX];
	struct counted_kernel *kernels;
	_Atomic uint64_t graphs; /* launches of graphs that the process has asked for */
	struct session session;
	size_t kernel;     /* that the session is for */
	uint32_t launches; /* that the session has counted */
	atomic_bool is_over;
	uint64_t rank;            /* of this process; COUNT_NO_RANK if it has none */
	int turn;                 /* descriptor with the lock: one process at a time counts; -1: not ours */
	struct held_file held;    /* the same: the program may close it */
	struct count_wait *waits; /* COUNT_WAIT, when it is our turn; NULL: it cannot be written */
	CUresult (*synchronize)(void);
	CUresult (*is_capturing)(CUstream stream, CUstreamCaptureStatus *status);
	CUresult (*get_device)(CUdevice *device);
	CUresult (*get_uuid)(CUuuid *uuid, CUdevice device); /* NULL: the driver is too old */
} counting = {.turn = -1};

/* ---- begin ---- */

/* What launchers of several processes tell each of them. The last one may mean a launcher of launchers. */
static const char *const rank_variables[] = {"RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"};

static uint64_t rank_of_process(void)
{
	for (size_t i = 0; i < sizeof(rank_variables) / sizeof(rank_variables[0]); i++) {
		const char *text = getenv(rank_variables[i]);
		char *end;
		unsigned long rank = text ? strtoul(text, &end, 10) : COUNT_NO_RANK;

		if (text && *text >= '0' && *text <= '9' && *end == '\0' && rank < COUNT_NO_RANK)
			return rank;
	}
	return COUNT_NO_RANK;
}

/* The driver is there, since it loads us, and it stays. */
static void find_driver(void)
{
	void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
	void *where = driver ? driver : RTLD_DEFAULT;

	*(void **)&counting.synchronize = dlsym(where, "cuCtxSynchronize");
	*(void **)&counting.is_capturing = dlsym(where, "cuStreamIsCapturing");
	*(void **)&counting.get_device = dlsym(where, "cuCtxGetDevice");
	*(void **)&counting.get_uuid = dlsym(where, "cuDeviceGetUuid_v2");
	if (driver)
		dlclose(driver);
}

static int read_counting_plan(const char *folder, struct error *err)
{
	if (snprintf(counting.plan_path, sizeof(counting.plan_path), "%s/" COUNT_PLAN, folder) <
			(int)sizeof(counting.plan_path) &&
		count_plan_read(counting.plan_path, &counting.plan))
		return 0;
	return error_system(err, "the plan of what is to be counted cannot be read");
}

static bool is_sampling(void)
{
	return counting.plan.period > 0;
}

int counting_prepare(const char *folder, const struct cupti *cupti, struct error *err)
{
	counting.rank = rank_of_process();
	if (read_counting_plan(folder, err) < 0)
		return -1;
	if (counting.plan.curves.wanted == CURVES_NONE &&
		(is_sampling() ? sampling_prepare(cupti, &counting.plan, err)
			       : session_prepare(&counting.session, cupti, err)) < 0)
		return -1;
	find_driver();
	if (!counting.synchronize || !counting.is_capturing || !counting.get_device)
		return error_set(err, "the CUDA driver cannot be called from inside the program");
	counting.kernels = calloc(counting.plan.nkernels + 1, sizeof(*counting.kernels));
	return counting.kernels ? 0 : error_system(err, "the program has no memory left for counters");
}

const struct count_plan *counting_plan(void)
{
	return &counting.plan;
}

/* The work may wait for what this thread would do next: dbprof then sees it, and does not wait for its timeout. */
CUresult counting_synchronize(void)
{
	CUresult code;

	if (counting.waits)
		atomic_store(&counting.waits->since, clock_monotonic());
	code = counting.synchronize();
	if (counting.waits)
		atomic_store(&counting.waits->since, 0);
	return code;
}

CUresult counting_device(CUdevice *device)
{
	return counting.get_device(device);
}

bool counting_is_gpu(CUdevice device, const char *uuid)
{
	CUuuid bytes;
	char text[GPU_UUID_TEXT];

	if (!counting.get_uuid || counting.get_uuid(&bytes, device) != CUDA_SUCCESS)
		return false;
	gpu_uuid_text(&bytes, text);
	return strcmp(text, uuid) == 0;
}

/* ---- what is told ---- */

static void append_text(enum count_result kind, size_t kernel, const char *text)
{
	const struct count_record head = {
		.magic = COUNT_RECORD_MAGIC, .kind = kind, .kernel = (uint32_t)kernel, .size = strlen(text)};

	count_results_append(&head, text);
}

void counting_refuse(const struct error *why)
{
	append_text(COUNT_REFUSED, 0, why->text);
	atomic_store(&counting.is_over, true);
}

void counting_miss(size_t kernel, const char *why)
{
	struct counted_kernel *k = &counting.kernels[kernel];

	for (size_t i = 0; i < MISSES_MOST; i++) {
		const char *told = NULL;

		if (atomic_compare_exchange_strong(&k->missed[i], &told, why)) {
			append_text(COUNT_MISSED, kernel, why);
			return;
		}
		if (told == why)
			return;
	}
}

static void append_counters(void)
{
	const struct counted_kernel *k = &counting.kernels[counting.kernel];
	const struct count_record head = {.magic = COUNT_RECORD_MAGIC,
		.kind = COUNT_COUNTED,
		.kernel = (uint32_t)counting.kernel,
		.group = (uint32_t)counting.plan.kernels[counting.kernel].groups[k->next],
		.launches = counting.launches,
		.size = counting.session.image_size};

	count_results_append(&head, counting.session.image);
}

/* ---- what can be counted ---- */

bool counting_is_question(void)
{
	return counting.plan.nkernels == 0 && counting.plan.curves.wanted == CURVES_NONE &&
	       !atomic_load(&counting.is_over);
}

static void append_bytes(enum count_result kind, const void *bytes, size_t size)
{
	const struct count_record head = {.magic = COUNT_RECORD_MAGIC, .kind = kind, .size = size};

	count_results_append(&head, bytes);
}

void counting_answer(void)
{
	struct error err = {0};
	uint8_t *available = NULL;
	const char *chip = NULL;
	size_t size;
	CUdevice device;

	if (counting.get_device(&device) != CUDA_SUCCESS)
		error_set(&err, "the CUDA driver does not tell the GPU of the program");
	else if ((chip = session_chip(&counting.session, device, &err)))
		available = session_availability(&counting.session, &size, &err);
	if (!available) {
		counting_refuse(&err);
		return;
	}
	append_bytes(COUNT_CHIP, chip, strlen(chip));
	append_bytes(COUNT_AVAILABLE, available, size);
	free(available);
	atomic_store(&counting.is_over, true);
}

/* ---- which launches ---- */

static bool is_captured(CUstream stream)
{
	CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;

	return counting.is_capturing(stream, &status) != CUDA_SUCCESS || status != CU_STREAM_CAPTURE_STATUS_NONE;
}

size_t counting_kernel_of(const struct launch_key *key, uint64_t *number)
{
	for (size_t i = 0; i < counting.plan.nkernels && counting.plan.curves.wanted == CURVES_NONE; i++) {
		if (!launch_key_is(key, &counting.plan.kernels[i]))
			continue;
		if (is_captured(key->stream)) {
			counting_miss(i, "launches of it are captured into a CUDA graph");
			return COUNTING_NONE;
		}
		*number = atomic_fetch_add(&counting.kernels[i].seen, 1);
		return i;
	}
	return COUNTING_NONE;
}

static int numbers_rising(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

size_t counting_graph_of(const struct launch_key *key, uint64_t *number)
{
	const uint64_t of_all = atomic_fetch_add(&counting.graphs, 1);

	if (!key || is_captured(key->stream))
		return COUNTING_NONE;
	for (size_t i = 0; i < counting.plan.nkernels && counting.plan.curves.wanted == CURVES_NONE; i++) {
		const struct count_kernel *graph = &counting.plan.kernels[i];
		const uint64_t *found = graph->nnumbers == 0 ? NULL
							     : bsearch(&of_all, graph->numbers, graph->nnumbers,
								       sizeof(*graph->numbers), numbers_rising);

		if (!found)
			continue;
		*number = (uint64_t)(found - graph->numbers);
		return i;
	}
	return COUNTING_NONE;
}

static bool is_of_rank(const struct count_kernel *planned)
{
	return planned->rank == COUNT_NO_RANK || planned->rank == counting.rank;
}

bool counting_wants(size_t kernel, uint64_t number)
{
	const struct count_kernel *planned = &counting.plan.kernels[kernel];

	return number >= planned->first && number < planned->end && is_of_rank(planned) &&
	       !atomic_load(&counting.is_over) && !atomic_load(&counting.kernels[kernel].is_done);
}

static const struct count_group *group_now(size_t kernel)
{
	const struct count_kernel *planned = &counting.plan.kernels[kernel];

	return &counting.plan.groups[planned->groups[counting.kernels[kernel].next]];
}

static void append_process(void)
{
	const struct count_record head = {
		.magic = COUNT_RECORD_MAGIC, .kind = COUNT_PROCESS, .group = (uint32_t)counting.rank};

	count_results_append(&head, "");
}

static void map_waits(void)
{
	const struct count_wait none = {.pid = getpid()};
	char path[PATH_MAX];
	void *map;
	int fd;

	if (snprintf(path, sizeof(path), "%.*s" COUNT_WAIT, (int)strlen(counting.plan_path) - (int)strlen(COUNT_PLAN),
		    counting.plan_path) >= (int)sizeof(path))
		return;
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	map = pwrite(fd, &none, sizeof(none), 0) == (ssize_t)sizeof(none)
		      ? mmap(NULL, sizeof(none), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)
		      : MAP_FAILED;
	close(fd);
	counting.waits = map == MAP_FAILED ? NULL : map;
}

/* Counters cannot be shared between processes. The lock is held to the end of the process. */
bool counting_take_turn(void)
{
	if (counting.turn >= 0)
		return true;
	counting.turn = file_above_streams(open(counting.plan_path, O_RDONLY | O_CLOEXEC));
	counting.held = file_hold(counting.turn);
	if (counting.turn >= 0 && flock(counting.turn, LOCK_EX | LOCK_NB) == 0) {
		append_process();
		map_waits();
		return true;
	}
	if (counting.turn >= 0)
		close(counting.turn);
	counting.turn = -1;
	return false;
}

/* Launches with another cluster are others. */
static bool is_same_cluster(struct counted_kernel *k, const struct launch_key *key)
{
	if (!k->has_cluster) {
		memcpy(k->cluster, key->cluster, sizeof(k->cluster));
		k->has_cluster = true;
	}
	return memcmp(k->cluster, key->cluster, sizeof(k->cluster)) == 0;
}

/* Opening a session and starting it leave the GPU's caches of instructions and constants cold for the launch that
 * follows, so that one is not counted, unless a run has no launch to spare. */
static bool spares_first_launch(size_t kernel)
{
	const struct count_kernel *planned = &counting.plan.kernels[kernel];

	return planned->end - planned->first > group_now(kernel)->passes;
}

/* Whether a session may begin with this launch: as many launches follow as it takes, so that it does not keep others
 * from theirs for nothing. */
static bool has_launches_left(size_t kernel, uint64_t number)
{
	return counting.plan.kernels[kernel].end - number >= group_now(kernel)->passes + spares_first_launch(kernel);
}

/* Whether the launch belongs to the session that is open, or to one that may be opened. */
static bool suits_session(size_t kernel, uint64_t number, CUcontext context)
{
	if (is_sampling())
		return sampling_suits(kernel, context);
	if (counting.session.object)
		return counting.kernel == kernel && counting.session.context == context;
	return has_launches_left(kernel, number);
}

static bool may_count(size_t kernel, uint64_t number, const struct launch_key *key, CUcontext context)
{
	if (!context || !counting_wants(kernel, number) || !suits_session(kernel, number, context))
		return false;
	if (!is_same_cluster(&counting.kernels[kernel], key)) {
		counting_miss(kernel, COUNT_SEVERAL_CLUSTERS);
		return false;
	}
	if (counting_take_turn())
		return true;
	counting_miss(kernel, "another process of the program was being counted");
	return false;
}

/* ---- counting ---- */

int counting_check_chip(const char *chip, struct error *err)
{
	const char *planned = counting.plan.chip;

	if (!chip)
		return -1;
	if (*planned == '\0' || strcmp(chip, planned) == 0)
		return 0;
	return error_set(err, "it runs on another kind of GPU (%s) than the first command (%s)", chip, planned);
}

static int check_counted_device(struct error *err)
{
	CUdevice device;

	if (counting.get_device(&device) != CUDA_SUCCESS)
		return error_set(err, "the CUDA driver does not tell the GPU of the program");
	return counting_check_chip(session_chip(&counting.session, device, err), err);
}

/* 0 if the launch is counted, 1 if the session is open and the next one will be; -1 with `err`. */
static int begin_pass(size_t kernel, CUcontext context, struct error *err)
{
	if (counting.session.object)
		return session_begin(&counting.session, err);
	counting.launches = 0;
	if (check_counted_device(err) < 0 || session_open(&counting.session, context, group_now(kernel), err) < 0)
		return -1;
	if (!spares_first_launch(kernel))
		return session_begin(&counting.session, err);
	return session_arm(&counting.session, err) < 0 ? -1 : 1;
}

/* Nothing more is counted or sampled here. */
static void end_for_good(const struct error *why)
{
	session_close(&counting.session);
	sampling_leave(NULL);
	counting_refuse(why);
}

bool counting_begin(size_t kernel, uint64_t number, const struct launch_key *key, CUcontext context)
{
	struct error err = {0};
	int begun = -1;

	if (!may_count(kernel, number, key, context))
		return false;
	counting.kernel = kernel;
	if (counting_synchronize() != CUDA_SUCCESS)
		error_set(&err, "a CUDA error of the program came before the launches that were to be counted");
	else
		begun = (is_sampling() ? sampling_begin : begin_pass)(kernel, context, &err);
	if (begun < 0)
		end_for_good(&err);
	return begun == 0;
}

/* All passes of a group are in. */
static void end_group(void)
{
	struct counted_kernel *k = &counting.kernels[counting.kernel];
	struct error err = {0};

	if (session_decode(&counting.session, &err) < 0) {
		counting_refuse(&err);
		return;
	}
	append_counters();
	k->next++;
	if (k->next == counting.plan.kernels[counting.kernel].ngroups)
		atomic_store(&k->is_done, true);
}

static void give_up_kernel(const char *why)
{
	counting_miss(counting.kernel, why);
	atomic_store(&counting.kernels[counting.kernel].is_done, true);
}

/* `worked`: the launch, and all before it. */
static void end_pass(bool worked)
{
	struct error err = {0};
	int ended = session_end(&counting.session, &err);

	counting.launches++;
	if (ended < 0)
		counting_refuse(&err);
	else if (!worked)
		give_up_kernel("a launch that was to be counted failed");
	else if (ended > 0)
		end_group();
	else if (counting.launches < group_now(counting.kernel)->passes + FEW_PASSES)
		return;
	else
		give_up_kernel("the range profiler wants more launches than it said");
	session_close(&counting.session);
}

static void end_samples(bool worked)
{
	struct error err = {0};
	int ended = sampling_end(worked, &err);

	if (ended < 0)
		end_for_good(&err);
	else if (!worked)
		give_up_kernel("a launch that was to be sampled failed");
	else if (ended > 0)
		atomic_store(&counting.kernels[counting.kernel].is_done, true);
}

void counting_end(bool launched)
{
	bool worked = counting_synchronize() == CUDA_SUCCESS && launched;

	if (is_sampling())
		end_samples(worked);
	else
		end_pass(worked);
}

/* ---- the ends ---- */

void counting_leave(CUcontext context)
{
	if (counting.session.object && (!context || counting.session.context == context))
		session_close(&counting.session);
	if (is_sampling())
		sampling_leave(context);
	if (!context)
		atomic_store(&counting.is_over, true);
}

void counting_forget(void)
{
	atomic_store(&counting.is_over, true);
	if (counting.turn >= 0 && file_is_held(&counting.held))
		close(counting.turn);
	counting.turn = -1;
	counting.waits = NULL;
	count_results_forget();
}
