/* options.c: the options that the recording commands share, and recording with progress. See cmd-options.h. */
#include "config.h"

#include "cmd/options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

/* Of the time pass. Two recordings can be compared from two on; three tell how far two of them are apart by chance. */
enum { DEFAULT_RUNS = 3, MAX_RUNS = 100 };

bool cmd_number(const char *option, const char *text, long long min, long long max, long long *out)
{
	char *end;

	errno = 0;
	*out = strtoll(text, &end, 10);
	if (errno == 0 && end != text && *end == '\0' && *out >= min && *out <= max)
		return true;
	cmd_error("--%s takes a whole number from %lld to %lld, not '%s'", option, min, max, text);
	return false;
}

static bool parse_passes(const char *list, unsigned *passes)
{
	for (const char *p = list;; p++) {
		size_t n = strcspn(p, ",");
		int pass;

		for (pass = 0; pass < PASSES_NUMBER; pass++)
			if (strlen(pass_name(pass)) == n && strncmp(pass_name(pass), p, n) == 0)
				break;
		if (pass == PASSES_NUMBER) {
			cmd_error("--passes: there is no pass '%.*s': use verify, time, trace, pm, counters, stalls "
				  "and phases, with commas between",
				(int)n, p);
			return false;
		}
		*passes |= 1u << pass;
		p += n;
		if (*p == '\0')
			return true;
	}
}

static bool add_setting(struct recording_choice *choice, const char *value)
{
	if (choice->nsettings == CMD_MAX_REPEATS) {
		cmd_error("--set: at most %d settings", CMD_MAX_REPEATS);
		return false;
	}
	choice->settings[choice->nsettings++] = value;
	return true;
}

bool cmd_load(const char *path)
{
#ifdef HAVE_CUDA
	struct error err = {0};

	if (plugin_load(path, true, &err) == 0)
		return true;
	return cmd_refuse("--load", &err);
#else
	(void)path; /* the command says that it can do nothing */
	return true;
#endif
}

int recording_option(struct recording_choice *choice, int key, const char *value)
{
	long long number;

	switch (key) {
	case OPTION_PASSES:
		return parse_passes(value, &choice->passes) ? 1 : -1;
	case OPTION_SET:
		return add_setting(choice, value) ? 1 : -1;
	case OPTION_SEED:
		if (!cmd_number("seed", value, 0, INT64_MAX, &number))
			return -1;
		choice->seed = (uint64_t)number;
		choice->seeded = true;
		return 1;
	case OPTION_DEVICE:
		if (!cmd_number("device", value, 0, 1023, &number))
			return -1;
		choice->device = (int)number;
		return 1;
	case OPTION_SWEEP:
		choice->sweep = true;
		return 1;
	case OPTION_ONCE:
		choice->once = true;
		return 1;
	case OPTION_RUNS:
		if (!cmd_number("runs", value, 1, MAX_RUNS, &number))
			return -1;
		choice->runs = (int)number;
		return 1;
	case OPTION_ALL:
		choice->all = true;
		return 1;
	case OPTION_LOAD:
		choice->loaded = true;
		return cmd_load(value) ? 1 : -1;
	default:
		return 0;
	}
}

bool recording_chosen(const struct recording_choice *choice)
{
	return choice->nsettings > 0 || choice->passes != 0 || choice->seeded || choice->device != 0 || choice->sweep ||
	       choice->once || choice->runs != 0 || choice->loaded;
}

static uint64_t fresh_seed(void)
{
	uint64_t seed;

	/* Short enough to type again; the kernel's generator cannot fail for so few bytes once the system is up. */
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

#ifdef HAVE_CUDA
/* What the progress remembers, so that one cause is told once. */
struct telling {
	bool terminal;     /* a line that is rewritten; elsewhere only what went wrong is told */
	char now[160];     /* "[3/7] family: pass" */
	char failed[1024]; /* families whose later passes are skipped for what the error at the end says: " a b " */
	char last_reason[1024]; /* why the last pass was skipped */
};

static void on_begin(void *user, const char *family, const char *pass, int done, int total)
{
	struct telling *telling = user;

	snprintf(telling->now, sizeof(telling->now), "[%d/%d] %s: %s", done + 1, total, family, pass);
	if (telling->terminal)
		fprintf(stderr, "\r\033[K%s", telling->now);
}

/* A bar for what takes many steps, such as a sweep. */
static void on_step(void *user, const char *label, int done, int total)
{
	enum { WIDTH = 24, WORTH_A_BAR = 12 };
	static const char full[] = "########################", empty[] = "........................";
	const struct telling *telling = user;
	int filled = total > 0 ? WIDTH * done / total : 0;

	if (telling->terminal && total >= WORTH_A_BAR)
		fprintf(stderr, "\r\033[K%s [%.*s%.*s] %d/%d %.40s", telling->now, filled, full, WIDTH - filled, empty,
			done, total, label);
}

static void clear_line(const struct telling *telling)
{
	if (telling->terminal)
		fputs("\r\033[K", stderr);
}

static bool has_failed(const struct telling *telling, const char *family)
{
	char name[128];

	snprintf(name, sizeof(name), " %s ", family);
	return strstr(telling->failed, name) != NULL;
}

static void note_failed(struct telling *telling, const char *family)
{
	size_t used = strlen(telling->failed);

	if (!has_failed(telling, family))
		snprintf(telling->failed + used, sizeof(telling->failed) - used, "%s%s ", used == 0 ? " " : "", family);
}

/* Whether a pass that was not done needs a line of its own. */
static bool worth_telling(struct telling *telling, const char *family, const char *status, const char *reason)
{
	if (strcmp(status, "failed") == 0) {
		note_failed(telling, family);
		return false;
	}
	if (has_failed(telling, family) || strcmp(telling->last_reason, reason) == 0)
		return false;
	snprintf(telling->last_reason, sizeof(telling->last_reason), "%s", reason);
	return true;
}

static void on_end(
	void *user, const char *family, const char *pass, const char *status, const char *reason, double seconds)
{
	struct telling *telling = user;

	clear_line(telling);
	if (!reason)
		reason = "no reason given";
	if (strcmp(status, "done") == 0) {
		if (telling->terminal)
			fprintf(stderr, "%s: %s done in %.1f s\n", family, pass, seconds);
	} else if (worth_telling(telling, family, status, reason)) {
		cmd_error("%s: %s %s: %s", family, pass, status, reason);
	}
}

static void on_note(void *user, const char *text)
{
	clear_line(user);
	cmd_error("%s", text);
}

enum exit_status cmd_record_now(const struct record_options *options, bool *written)
{
	struct telling telling = {.terminal = isatty(STDERR_FILENO) != 0};
	struct record_progress progress = {&telling, on_begin, on_step, on_end, on_note, cmd_interrupted};
	struct error err = {0};
	int result;

	cmd_catch_signals();
	result = record_run(options, &progress, &err);
	clear_line(&telling);
	*written = result >= 0;
	return result == 0 ? STATUS_DONE : cmd_fail(STATUS_FAILED, &err);
}
#endif
