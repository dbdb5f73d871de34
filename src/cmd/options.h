/* options.h: the options that the recording commands (run, record, worker) share. */
#ifndef DBPROF_CMD_OPTIONS_H
#define DBPROF_CMD_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

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

enum { SETTINGS_MOST = 64 };

/* Their table. */
extern const struct cmd_option recording_table[];

/* What those options said; zeroed at first. */
struct recording_choice {
	const char *settings[SETTINGS_MOST];
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

/* Takes one of the table's options, for the command's option(). */
enum exit_status recording_option(struct recording_choice *choice, int key, const char *value);

/* Whether any of them was given: they make sense only where something is measured. */
bool recording_chosen(const struct recording_choice *choice);

/* Turns choice and arguments into the options of record_run(); `output` is where the recording goes. */
struct record_options recording_options(
	const struct recording_choice *choice, int nargs, char **args, const char *output);

/* A new seed for a recording, short enough to type again. */
uint64_t fresh_seed(void);

/* Loads the families of a shared object, after a trial in a child process. */
enum exit_status cmd_load(const char *path);

/* The value of --device. */
enum exit_status cmd_device(const char *value, int *device);

#endif
