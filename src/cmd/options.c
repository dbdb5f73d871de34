/* options.c: see options.h. */
#include "config.h"

#include "cmd/options.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "cmd/line.h"
#include "cmd/message.h"
#include "cmd/values.h"
#ifdef HAVE_CUDA
#include "record/plugin/load.h"
#endif

/* Of the time pass. Two recordings can be compared from two on; three tell how far two of them are apart by chance. */
enum { DEFAULT_RUNS = 3, MAX_RUNS = 100 };

enum { DEVICE_MOST = 1023 };

static const struct cmd_word passes[] = {
	[PASS_VERIFY] = {"verify", "is the result right? Against a CPU reference in double precision"},
	[PASS_TIME] = {"time", "how long does it take? CUDA events, variants interleaved; CUPTI is not loaded"},
	[PASS_TRACE] = {"trace", "when does what run? Activity records and NVTX ranges"},
	[PASS_PM] = {"pm", "occupancy, PCIe and DRAM traffic against time: PM sampling"},
	[PASS_COUNTERS] = {"counters",
		"how much? The range profiler: stall reasons, bytes, bank conflicts, instructions"},
	[PASS_STALLS] = {"stalls", "where do warps wait? PC sampling, by source line"},
	[PASS_PHASES] = {"phases", "what happens inside a block? Time stamps in a second instantiation of the kernels"},
	[PASSES_NUMBER] = {0},
};

const struct cmd_option recording_table[] = {
	{OPTION_PASSES, "passes", "LIST", .value = VALUE_LIST, .words = passes,
		.help = "do these passes, with commas between (default: all)"},
	{OPTION_SET, "set", "NAME=VALUE", .value = VALUE_PARAMETER,
		.help = "set a parameter of the chosen families (see `dbprof list -v`)",
		.more = "May be given several times."},
	{OPTION_SEED, "seed", "N", .value = VALUE_NUMBER,
		.help = "seed of the random inputs (default: a new one, noted in the report)"},
	{OPTION_SWEEP, "sweep", .help = "also measure where it pays: over sizes, buffers, occupancy ...",
		.more = "It takes minutes; Ctrl-C keeps the points that are done."},
	{OPTION_ONCE, "once", .help = "only check results, once, in the small cases: for compute-sanitizer",
		.more = "The parts of the work and the kernels with time stamps are checked too."},
	{OPTION_RUNS, "runs", "N", .value = VALUE_NUMBER,
		.help = "processes that time each family, one after another (default: 3)"},
	{OPTION_LOAD, "load", "FILE.so", .value = VALUE_OBJECT,
		.help = "load families of your own (may be repeated; see docs/plug-ins.md)",
		.more = "Without names these families are measured."},
	{OPTION_ALL, "all", .help = "without names: all families that need not be named, also with --load"},
	{OPTION_DEVICE, "device", "N", .value = VALUE_NUMBER, .help = "CUDA device (default: 0)"},
	{0},
};

static enum exit_status take_setting(struct recording_choice *choice, const char *value)
{
	if (choice->nsettings == SETTINGS_MOST) {
		cmd_error("--set: at most %d settings", SETTINGS_MOST);
		return STATUS_USAGE;
	}
	choice->settings[choice->nsettings++] = value;
	return STATUS_DONE;
}

static enum exit_status take_seed(struct recording_choice *choice, const char *value)
{
	long long number;

	if (!cmd_number("seed", value, 0, INT64_MAX, &number))
		return STATUS_USAGE;
	choice->seed = (uint64_t)number;
	choice->seeded = true;
	return STATUS_DONE;
}

static enum exit_status take_runs(struct recording_choice *choice, const char *value)
{
	long long number;

	if (!cmd_number("runs", value, 1, MAX_RUNS, &number))
		return STATUS_USAGE;
	choice->runs = (int)number;
	return STATUS_DONE;
}

enum exit_status cmd_device(const char *value, int *device)
{
	long long number;

	if (!cmd_number("device", value, 0, DEVICE_MOST, &number))
		return STATUS_USAGE;
	*device = (int)number;
	return STATUS_DONE;
}

enum exit_status cmd_load(const char *path)
{
#ifdef HAVE_CUDA
	struct error err = {0};

	return plugin_load(path, true, &err) == 0 ? STATUS_DONE : cmd_refuse("--load", &err);
#else
	(void)path; /* the command says that it can do nothing */
	return STATUS_DONE;
#endif
}

enum exit_status recording_option(struct recording_choice *choice, int key, const char *value)
{
	switch (key) {
	case OPTION_PASSES:
		return cmd_word_list("passes", "pass", value, passes, &choice->passes) ? STATUS_DONE : STATUS_USAGE;
	case OPTION_SET:
		return take_setting(choice, value);
	case OPTION_SEED:
		return take_seed(choice, value);
	case OPTION_RUNS:
		return take_runs(choice, value);
	case OPTION_DEVICE:
		return cmd_device(value, &choice->device);
	case OPTION_LOAD:
		choice->loaded = true;
		return cmd_load(value);
	case OPTION_SWEEP:
		choice->sweep = true;
		break;
	case OPTION_ONCE:
		choice->once = true;
		break;
	case OPTION_ALL:
		choice->all = true;
		break;
	}
	return STATUS_DONE;
}

bool recording_chosen(const struct recording_choice *choice)
{
	return choice->nsettings > 0 || choice->passes != 0 || choice->seeded || choice->device != 0 || choice->sweep ||
	       choice->once || choice->runs != 0 || choice->loaded;
}

uint64_t fresh_seed(void)
{
	uint64_t seed;

	/* The kernel's generator cannot fail for so few bytes once the system is up. */
	if (getrandom(&seed, sizeof(seed), 0) != (ssize_t)sizeof(seed))
		seed = (uint64_t)getpid();
	return seed % 1000000000u;
}

static unsigned passes_of(const struct recording_choice *choice)
{
	if (choice->passes != 0)
		return choice->passes;
	return choice->once ? 1u << PASS_VERIFY : (1u << PASSES_NUMBER) - 1;
}

struct record_options recording_options(
	const struct recording_choice *choice, int nargs, char **args, const char *output)
{
	return (struct record_options){
		.selection = (const char *const *)args,
		.nselection = nargs,
		.built_in = choice->all,
		.settings = choice->settings,
		.nsettings = choice->nsettings,
		.passes = passes_of(choice),
		.sweep = choice->sweep,
		.once = choice->once,
		.runs = choice->runs != 0 ? choice->runs : DEFAULT_RUNS,
		.seed = choice->seeded ? choice->seed : fresh_seed(),
		.device = choice->device,
		.command = cmd_line(),
		.program = "/proc/self/exe",
		.output = output,
	};
}
