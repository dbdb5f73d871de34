/*
 * stand-in.c: what kind of GPU the stand-in is, and its clock. STAND_IN=NAME[=VALUE],... sets the members of struct
 * stand_in (stand-in.h): STAND_IN=devices=3,late,drop=5. What it does not know ends the process: a test that asks for
 * nothing in particular would pass.
 */
#include "config.h"

#include "stand-in.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "built-for.h"

static struct stand_in gpu = {.devices = 1, .driver = 13000, .memory = 1024};

static const struct {
	const char *name;
	int *number;
	long *size;
	bool *flag;
} settings[] = {
	{"devices", .number = &gpu.devices},
	{"base", .number = &gpu.base},
	{"mixed", .flag = &gpu.mixed},
	{"driver", .number = &gpu.driver},
	{"memory", .size = &gpu.memory},
	{"capability", .number = &gpu.capability},
	{"drop", .number = &gpu.drop},
	{"late", .flag = &gpu.late},
	{"slow", .number = &gpu.slow},
	{"pieces", .flag = &gpu.pieces},
	{"unordered", .flag = &gpu.unordered},
	{"zero_times", .flag = &gpu.zero_times},
	{"backward", .flag = &gpu.backward},
	{"full", .flag = &gpu.full},
	{"pm_merged", .flag = &gpu.pm_merged},
	{"pm_sample", .number = &gpu.pm_sample},
	{"hang_flush", .flag = &gpu.hang_flush},
	{"no_modules", .flag = &gpu.no_modules},
	{"cut_modules", .flag = &gpu.cut_modules},
	{"concurrent", .flag = &gpu.concurrent},
	{"no_permission", .flag = &gpu.no_permission},
	{"cold", .flag = &gpu.cold},
	{"odd", .flag = &gpu.odd},
	{"heavy", .flag = &gpu.heavy},
	{"foreign", .flag = &gpu.foreign},
};

enum { NSETTINGS = sizeof settings / sizeof settings[0] };

static _Noreturn void refuse(const char *setting)
{
	fprintf(stderr, "stand-in: STAND_IN has no setting '%s'\n", setting);
	_exit(99);
}

/* A number, without which a setting that needs one is refused. */
static long number(const char *setting, const char *value)
{
	char *end;
	long result;

	if (value == NULL)
		refuse(setting);
	result = strtol(value, &end, 10);
	if (end == value || *end != '\0')
		refuse(setting);
	return result;
}

static void set(char *setting)
{
	char *value = strchr(setting, '=');

	if (value != NULL)
		*value++ = '\0';
	for (int i = 0; i < NSETTINGS; i++) {
		if (strcmp(settings[i].name, setting) != 0)
			continue;
		if (settings[i].flag != NULL)
			*settings[i].flag = value == NULL || number(setting, value) != 0;
		else if (settings[i].number != NULL)
			*settings[i].number = (int)number(setting, value);
		else
			*settings[i].size = number(setting, value);
		return;
	}
	refuse(setting);
}

static void read_settings(void)
{
	const char *text = getenv("STAND_IN");
	char copy[512], *rest = copy;

	gpu.capability = built_for(CUDA_TARGETS, 90).machine ? 90 : (int)strtol(&CUDA_TARGETS[strlen("sm_")], NULL, 10);
	if (text == NULL || snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy)
		return;
	for (char *setting; (setting = strtok_r(rest, ",", &rest)) != NULL;)
		set(setting);
}

const struct stand_in *stand_in(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, read_settings);
	return &gpu;
}

uint64_t stand_in_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}
