/* options.h: the options that the recording commands (run, record, worker) share. */
#ifndef DBPROF_CMD_OPTIONS_H
#define DBPROF_CMD_OPTIONS_H

#include <stdbool.h>

#include "cmd/cmd.h"
#include "record/record.h"

enum {
	OPTION_PASSES = 300,
	OPTION_SET,
	OPTION_SEED,
	OPTION_DEVICE,
	OPTION_SWEEP,
	OPTION_ONCE,
	OPTION_RUNS,
	OPTION_LOAD,
	OPTION_ALL
};

/* The line for the option table of a command that knows families. */
#define LOAD_OPTION                                                                                                    \
	{                                                                                                              \
		OPTION_LOAD, "load", "FILE.so", "load families of your own (may be repeated; see docs/plug-ins.md)"    \
	}

/* The lines for a command's option table. */
#define RECORDING_OPTIONS                                                                                              \
	{OPTION_PASSES, "passes", "LIST", "passes, of verify,time,trace,pm,counters,stalls,phases (default: all)"},    \
		{OPTION_SET, "set", "NAME=VALUE", "set a parameter of the chosen families (see `dbprof list -v`)"},    \
		{OPTION_SEED, "seed", "N", "seed of the random inputs (default: a new one, noted in the report)"},     \
		{OPTION_SWEEP, "sweep", NULL, "also measure where it pays: over sizes, buffers, occupancy ..."},       \
		{OPTION_ONCE, "once", NULL, "only check results, once, in the small cases: for compute-sanitizer"},    \
		{OPTION_RUNS, "runs", "N", "processes that time each family (default: 3)"}, LOAD_OPTION,               \
		{OPTION_ALL, "all", NULL, "without names: every family, also where --load brings others"},             \
	{                                                                                                              \
		OPTION_DEVICE, "device", "N", "CUDA device (default: 0)"                                               \
	}

/* What those options said; zeroed at first. */
struct recording_choice {
	const char *settings[CMD_MAX_REPEATS];
	int nsettings;
	unsigned passes; /* 0: all */
	uint64_t seed;
	bool seeded;
	bool sweep, once;
	int runs;    /* 0: the default */
	bool loaded; /* families of the user's own */
	bool all;    /* dbprof's own too */
	int device;
};

/* Takes one of RECORDING_OPTIONS: 1 taken, 0 not one of them, -1 no good (a message was printed). */
int recording_option(struct recording_choice *choice, int key, const char *value);

/* Loads the families of a shared object, after a trial in a child process. False, with a message, if that fails. */
bool cmd_load(const char *path);

/* Whether any of the options was given: they make sense only where something is measured. */
bool recording_chosen(const struct recording_choice *choice);

/* Turns choice and arguments into record_run()'s options; `output` is where the recording goes. */
struct record_options recording_options(
	const struct recording_choice *choice, int nargs, char **args, const char *output);

/* Records with progress on stderr. STATUS_DONE; STATUS_FAILED with `*written` telling whether there is a recording. */
enum exit_status cmd_record_now(const struct record_options *options, bool *written);

/* Parses a whole decimal number in [min, max]; false, with a message naming the option, if it is none. */
bool cmd_number(const char *option, const char *text, long long min, long long max, long long *out);

#endif
