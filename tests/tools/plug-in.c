/*
 * plug-in.c: a shared object with a family that is whole but for one fault, which -DFAULT=... chooses: what `--load`
 * says about each is in tests/plugin.test. C, so that it takes no nvcc. Nothing here touches a GPU, unless a family is
 * measured.
 */
#include <signal.h>
#include <stdlib.h>

#include "dbprof-variant.h"

#define NONE 0
#define CRASH_LOADED 1 /* in a constructor, while it is loaded */
#define EXIT_LOADED 2
#define CRASH_WORK 4 /* in a function that is called to check the table */
#define WILD_POINTER 5
#define NO_OBJECT 6 /* no dbprof_plugin */
#define OTHER_MAGIC 7
#define OLDER 8
#define NEWER 9
#define OTHER_CUDA 10
#define NO_RUNTIME 11
#define NO_FAMILIES 12
#define NULL_FAMILY 13
#define SAME_TWICE 14
#define UNDEFINED 15 /* a symbol that nothing defines */

/* The table. */
#define NULL_TITLE 20
#define NULL_LAUNCH 21
#define NULL_CHECK 22
#define NO_VARIANTS 23
#define BAD_NAME 24
#define BUILT_IN_NAME 25
#define BUILT_IN_FILE 26
#define OTHER_FILE 27
#define UNKNOWN_PAIR 28
#define PAIR_OF_REFERENCE 29
#define SAME_PAIR 30
#define TWO_VARIANTS 31
#define BAD_KIND 32
#define BAD_LABEL 33
#define TWO_LABELS 34
#define OUT_OF_RANGE 35
#define TOO_MANY_PARAMS 36
#define HEADLINE_CHECKED 37
#define BAD_UNIT 38
#define NAN_WORK 39
#define BAD_PHASES 40
#define BAD_AXIS 41
#define FALLING_AXIS 42
#define BAD_BASE 43
#define LABEL_OF_SWEEP 44
#define POINT_OUT_OF_RANGE 45
#define LONG_SWEEP 46
#define BAD_HAZARD 47
#define BAD_RUNG 48
#define OTHER_PART 49
#define PART_IN_FOLDER 50
#define PART_WITHOUT_NAME 51
#define PART_NOT_TEXT 52
#define BUILT_IN_PART 53
#define PAIR_ON_DEMAND 54
#define BAD_ROLES 55
#define HALF_ROLES 56
#define ROLES_OF_NOBODY 57
#define PAIR_WITHOUT_BUFFERS 58
#define SWEEP_OF_CONTROL 59

/* On the GPU: nothing is wrong with the table. */
#define CRASH_SET_UP 60
#define EXIT_SET_UP 61
#define FAIL_SET_UP 62
#define ON_DEMAND 63
#define EVERY_KERNEL 64 /* has a part of the work, time stamps and meters, and tells of launches */
#define SWEEP_OF_REFERENCE 65

#ifndef FAULT
#define FAULT NONE
#endif
#ifndef NAME
#define NAME "plug-in"
#endif

#if FAULT == CRASH_LOADED || FAULT == EXIT_LOADED
__attribute__((constructor)) static void loaded(void)
{
	if (FAULT == CRASH_LOADED)
		raise(SIGSEGV);
	exit(3);
}
#endif

#if FAULT == UNDEFINED
int defined_nowhere(void);

__attribute__((visibility("default"))) int uses_it(void);

int uses_it(void)
{
	return defined_nowhere();
}
#endif

struct state {
	struct resources resources;
	float *out;
	int n;
};

static size_t device_bytes(const struct size_case *size)
{
	return sizeof(float) * (size_t)size->value[0];
}

static void work(const struct size_case *size, struct work *out)
{
	if (FAULT == CRASH_WORK)
		raise(SIGSEGV);
	out->elements = FAULT == NAN_WORK ? NAN : (double)size->value[0];
	out->bytes = (double)device_bytes(size);
}

static cudaError_t set_up(const struct size_case *size, uint64_t seed, void **state, char *message, size_t message_size)
{
	struct state *s = (struct state *)state_new(sizeof *s, message, message_size);

	(void)seed;
	*state = NULL;
	if (s == NULL)
		return cudaErrorMemoryAllocation;
	if (FAULT == CRASH_SET_UP)
		raise(SIGSEGV);
	if (FAULT == EXIT_SET_UP)
		exit(3);
	if (FAULT == FAIL_SET_UP)
		resources_fail(&s->resources, cudaErrorUnknown, "the input file is not there");
	s->n = (int)size->value[0];
	s->out = (float *)resources_memory(&s->resources, RESOURCE_DEVICE, device_bytes(size));
	return state_ready(s, state);
}

static cudaError_t poison(void *state, cudaStream_t stream)
{
	struct state *s = (struct state *)state;

	return cudaMemsetAsync(s->out, POISON_BYTE, sizeof(float) * (size_t)s->n, stream);
}

static cudaError_t check(void *state, struct check_result *out)
{
	compare_begin(out);
	out->elements = (size_t)((struct state *)state)->n;
	return cudaDeviceSynchronize();
}

// begin one, two
static cudaError_t launch(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct state *s = (struct state *)state;

	if (FAULT == EVERY_KERNEL)
		fprintf(stderr, "launch n=%d\n", s->n);
	done->memsets++;
	return cudaMemsetAsync(s->out, 0, sizeof(float) * (size_t)s->n, stream);
}
// end one, two

static const struct param params[] = {{"n", "elements", "length", 1, 1000, NULL}};

static const struct size_case cases[] = {
	{FAULT == BAD_LABEL ? "Small" : "small", {FAULT == OUT_OF_RANGE ? 0 : 100}, FAULT == HEADLINE_CHECKED, NULL, 0,
		0},
	{FAULT == TWO_LABELS              ? "small"
		: FAULT == LABEL_OF_SWEEP ? "length-1"
					  : "odd",
		{7}, true, NULL, 0, 0},
};

#if FAULT == BAD_PHASES || FAULT == EVERY_KERNEL
static int steps(const void *state)
{
	return state != NULL;
}

static cudaError_t launch_phases(
	void *state, cudaStream_t stream, const struct phase_board *board, struct kernel_config *config)
{
	(void)config;
	if (FAULT == EVERY_KERNEL)
		fprintf(stderr, "stamps of %u warps: ", board->warps);
	return launch(state, stream, &(struct enqueued){0, 0, 0});
}

static cudaError_t config(void *state, struct kernel_config *out)
{
	(void)state;
	out->function = NULL;
	out->grid[0] = out->grid[1] = out->grid[2] = out->block[1] = out->block[2] = 1;
	out->block[0] = 64;
	return cudaSuccess;
}

static const struct phase_plan plan = {"", FAULT == BAD_PHASES ? "lxc" : "lc", "s", steps, NULL};
#endif

#if FAULT == BAD_ROLES || FAULT == HALF_ROLES || FAULT == ROLES_OF_NOBODY || FAULT == EVERY_KERNEL
#define HAS_ROLES

static cudaError_t launch_roles(
	void *state, cudaStream_t stream, const struct role_board *board, struct kernel_config *configuration)
{
	(void)configuration;
	fprintf(stderr, "meters of %u warps: ", board->warps);
	return launch(state, stream, &(struct enqueued){0, 0, 0});
}

static cudaError_t config_roles(void *state, struct kernel_config *out)
{
	(void)state;
	*out = (struct kernel_config){.grid = {1, 1, 1}, .block = {96, 1, 1}};
	return cudaSuccess;
}

static const struct role_plan roles = {FAULT == BAD_ROLES ? 0 : 1024, FAULT == ROLES_OF_NOBODY ? "one"
								      : FAULT == EVERY_KERNEL  ? "two"
											       : NULL};
#endif

static const struct hazard hazards[] = {{FAULT == BAD_HAZARD ? "guesswork" : "synccheck", "Only half of it is real."}};

static const struct variant variants[] = {
	{
		.name = "one",
		.summary = "one",
		.kind = FAULT == BAD_KIND ? (enum variant_kind)99 : VARIANT_CANDIDATE,
		.buffers = FAULT == PAIR_WITHOUT_BUFFERS ? 0 : 1,
		.launch = FAULT == NULL_LAUNCH ? NULL : launch,
#if FAULT == BAD_PHASES || FAULT == EVERY_KERNEL
		.config = config,
		.launch_phases = launch_phases,
		.phases = &plan,
#endif
		.hazards = hazards,
		.nhazards = 1,
		.rung = {.step = 1},
	},
	{
		.name = FAULT == TWO_VARIANTS ? "one" : "two",
		.summary = "two",
		.kind = FAULT == PAIR_OF_REFERENCE ? VARIANT_REFERENCE : VARIANT_CANDIDATE,
		.buffers = 2,
		.on_demand = FAULT == PAIR_ON_DEMAND,
		.launch = launch,
#ifdef HAS_ROLES
		.config = config_roles,
		.launch_roles = launch_roles,
		.roles = FAULT == HALF_ROLES ? NULL : &roles,
#endif
		.rung = {2, FAULT == BAD_RUNG ? "three" : "one", "a second buffer", NULL},
		.file = FAULT == OTHER_PART          ? "other.cu"
			: FAULT == PART_IN_FOLDER    ? "../plug-in.c"
			: FAULT == PART_WITHOUT_NAME ? ""
			: FAULT == PART_NOT_TEXT     ? "\377.c"
			: FAULT == BUILT_IN_PART     ? "sgemm.cu"
						     : "plug-in.c",
	},
#if FAULT == SWEEP_OF_REFERENCE || FAULT == SWEEP_OF_CONTROL
	{
		.name = "library",
		.summary = "somebody else's",
		.kind = FAULT == SWEEP_OF_REFERENCE ? VARIANT_REFERENCE : VARIANT_CONTROL,
		.launch = launch,
	},
	{
		.name = "unbuffered",
		.summary = "a candidate that needs no buffer",
		.kind = VARIANT_CANDIDATE,
		.launch = launch,
	},
#endif
#if FAULT == EVERY_KERNEL
	{
		.name = "part",
		.summary = "part",
		.kind = VARIANT_COMPUTE,
		.launch = launch,
	},
#endif
};

static const struct sweep sweeps[] = {
	{
		.name = FAULT == LONG_SWEEP ? "a-sweep-whose-name-leaves-no-room-for-its-points-any-more" : "length",
		.title = "Length",
		.question = "Does it matter?",
		.base = FAULT == BAD_BASE ? 1 : 0,
		.naxes = 1,
		.axis = {{FAULT == BAD_AXIS ? 1 : 0, 2,
			{10, FAULT == FALLING_AXIS            ? 5
				: FAULT == POINT_OUT_OF_RANGE ? 2000
							      : 20}}},
#if FAULT == SWEEP_OF_REFERENCE || FAULT == SWEEP_OF_CONTROL
		.single = "library",
		.double_ = "two",
#endif
	},
};

static const struct family family = {
	.name = FAULT == BAD_NAME        ? "Plug In"
		: FAULT == BUILT_IN_NAME ? "sgemm"
					 : NAME,
	.title = FAULT == NULL_TITLE ? NULL : "A plug-in",
	.question = "Is it loaded?",
	.teaches = "Nothing.",
	.source = "the tests of dbprof",
	.file = FAULT == BUILT_IN_FILE ? "sgemm.cu"
		: FAULT == OTHER_FILE  ? "other.c"
				       : "plug-in.c",
	.throughput = FAULT == BAD_UNIT ? "TB/s" : "GB/s",
	.bound_by = "device memory",
	.params = params,
	.nparams = FAULT == TOO_MANY_PARAMS ? 9 : 1,
	.cases = cases,
	.ncases = 2,
	.variants = FAULT == WILD_POINTER ? (const struct variant *)16 : variants,
	.nvariants = FAULT == NO_VARIANTS ? 0 : (int)(sizeof variants / sizeof variants[0]),
	.single = FAULT == UNKNOWN_PAIR ? "three" : "one",
	.double_ = FAULT == SAME_PAIR ? "one" : "two",
	.sweeps = sweeps,
	.nsweeps = 1,
	.on_demand = FAULT == ON_DEMAND,
	.device_bytes = device_bytes,
	.work = work,
	.set_up = set_up,
	.tear_down = state_free,
	.poison = poison,
	.check = FAULT == NULL_CHECK ? NULL : check,
};

#if FAULT >= OTHER_MAGIC && FAULT <= NO_FAMILIES
static const struct family *const table[] = {&family};
static const struct plugin_runtime runtime = {
	dbprof_set_device, dbprof_take_error, dbprof_attributes, dbprof_symbol, dbprof_resident};

const struct dbprof_plugin dbprof_plugin = {
#if FAULT == OTHER_MAGIC
	.magic = "something else",
#else
	.magic = DBPROF_PLUGIN_MAGIC,
#endif
	.abi = FAULT == OLDER   ? DBPROF_ABI - 1
	       : FAULT == NEWER ? DBPROF_ABI + 1
				: DBPROF_ABI,
	.cudart = FAULT == OTHER_CUDA ? CUDART_VERSION - 1000 : CUDART_VERSION,
	.runtime = FAULT == NO_RUNTIME ? NULL : &runtime,
	.families = table,
	.nfamilies = FAULT == NO_FAMILIES ? 0 : 1,
};
#elif FAULT == NULL_FAMILY
DBPROF_PLUGIN(&family, NULL);
#elif FAULT == SAME_TWICE
DBPROF_PLUGIN(&family, &family);
#elif FAULT == NO_OBJECT
__attribute__((visibility("default"))) const struct family *const some_family = &family;
#else
DBPROF_PLUGIN(&family);
#endif
