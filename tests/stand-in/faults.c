/* faults.c: counts the calls of the stand-in's functions by call site, and fails those that STAND_IN_FAIL names. */
#include "stand-in.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SITES = 4096, FUNCTIONS = 512, NAME = 96 };

/* A call of a function from one place. */
struct site {
	const char *function; /* the same pointer at each call: it is __func__ */
	const void *caller;
	char name[NAME]; /* "dbprof-shared+0x1234" */
	long calls;
};

/* What STAND_IN_FAIL asks for. */
struct fault {
	char function[NAME], site[NAME]; /* "" for a function: nothing; for a site: each */
	long number;                     /* 0: each call */
	int code;
};

static struct {
	pthread_mutex_t lock;
	struct site sites[SITES];
	struct {
		const char *function;
		long calls;
	} functions[FUNCTIONS];
	struct fault fault;
	int log; /* -1: none */
} state = {.lock = PTHREAD_MUTEX_INITIALIZER, .log = -1};

static _Noreturn void refuse(const char *why)
{
	fprintf(stderr, "stand-in: %s\n", why);
	_exit(99);
}

/* FUNCTION[@SITE]:N:CODE */
static void read_fault(const char *text, struct fault *out)
{
	char target[2 * NAME], *at;
	int used = -1;

	if (sscanf(text, "%190[^:]:%ld:%d%n", target, &out->number, &out->code, &used) != 3 || text[used] != '\0')
		refuse("STAND_IN_FAIL is not FUNCTION[@SITE]:N:CODE");
	at = strchr(target, '@');
	if (at != NULL)
		*at++ = '\0';
	if (snprintf(out->function, NAME, "%s", target) >= NAME ||
		snprintf(out->site, NAME, "%s", at == NULL ? "" : at) >= NAME)
		refuse("STAND_IN_FAIL has names that are too long");
}

static void read_environment(void)
{
	const char *log = getenv("STAND_IN_LOG"), *fail = getenv("STAND_IN_FAIL");

	if (fail != NULL)
		read_fault(fail, &state.fault);
	if (log == NULL)
		return;
	state.log = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (state.log < 0)
		refuse("the file of STAND_IN_LOG cannot be opened");
}

static void name_site(struct site *site)
{
	Dl_info info;
	const char *slash;

	if (dladdr(site->caller, &info) == 0 || info.dli_fname == NULL) {
		snprintf(site->name, NAME, "unknown");
		return;
	}
	slash = strrchr(info.dli_fname, '/');
	snprintf(site->name, NAME, "%.*s+0x%tx", NAME - 24, slash == NULL ? info.dli_fname : slash + 1,
		(const char *)site->caller - (const char *)info.dli_fbase);
}

/* The entry of the site, which is new if it has no name; an object that was unloaded and another loaded in its place
 * are one. */
static struct site *find_site(const char *function, const void *caller)
{
	size_t i = ((uintptr_t)caller ^ (uintptr_t)function >> 4) % SITES;

	for (int tries = 0; tries < SITES; tries++, i = (i + 1) % SITES) {
		struct site *site = &state.sites[i];

		if (site->function == function && site->caller == caller)
			return site;
		if (site->function == NULL) {
			*site = (struct site){.function = function, .caller = caller};
			return site;
		}
	}
	refuse("there are too many call sites");
}

static long count_function(const char *function)
{
	for (int i = 0; i < FUNCTIONS; i++) {
		if (state.functions[i].function == NULL)
			state.functions[i].function = function;
		if (state.functions[i].function == function)
			return ++state.functions[i].calls;
	}
	refuse("there are too many functions");
}

static void log_site(const struct site *site, long number)
{
	char line[2 * NAME + 32];
	int length = snprintf(line, sizeof line, "%s %s %ld\n", site->function, site->name, number);

	/* One write, so that the lines of several processes do not mix. */
	if (state.log >= 0 && write(state.log, line, (size_t)length) != length)
		refuse("the file of STAND_IN_LOG cannot be written");
}

/* `number` is the call's among those of the function. */
static bool is_meant(const struct fault *fault, const struct site *site, long number)
{
	if (strcmp(fault->function, site->function) != 0)
		return false;
	if (fault->site[0] == '\0')
		return fault->number == 0 || fault->number == number;
	return strcmp(fault->site, site->name) == 0 && (fault->number == 0 || fault->number == site->calls);
}

static int count(const char *function, const void *caller)
{
	struct site *site = find_site(function, caller);
	long number = count_function(function);

	site->calls++;
	if (site->name[0] == '\0') {
		name_site(site);
		log_site(site, number);
	}
	return is_meant(&state.fault, site, number) ? state.fault.code : 0;
}

int stand_in_fault(const char *function, const void *caller)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	int code;

	pthread_once(&once, read_environment);
	pthread_mutex_lock(&state.lock);
	code = count(function, caller);
	pthread_mutex_unlock(&state.lock);
	return code;
}
