/* doctor.c: `dbprof doctor`: what works here, what does not, and what to do about it. */
#include "config.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/commands.h"
#include "cmd/make-report.h"
#include "cmd/message.h"
#include "cmd/options.h"
#include "contrast/code/disassemble.h"
#include "figure/gnuplot.h"
#include "record/record.h"
#include "tree/json.h"
#include "util/alloc.h"
#include "util/file/datafile.h"

static enum exit_status cmd_doctor_option(void *state, int key, const char *value);
static enum exit_status cmd_doctor_exec(void *state, int nargs, char **args);

enum { OPTION_JSON = 500 };

struct doctor_state {
	bool json;
	int device;
};

static const struct cmd_option doctor_table[] = {
	{OPTION_DEVICE, "device", "N", .value = VALUE_NUMBER, .help = "CUDA device (default: 0)"},
	{OPTION_JSON, "json", .help = "tell it as JSON",
		.more = "That is an object with `broken` (whether anything is) and `items`, each with `what`, "
			"`status`, "
			"`finding` and `advice`."},
	{0},
};

const struct cmd cmd_doctor = {
	.name = "doctor",
	.arguments = "[OPTION]...",
	.summary = "check what works here, each pass too: driver, CUPTI, permissions, gnuplot; what to do",
	.details =
		"It prints a line for each finding: ok, hint (it works, but worse than it could), missing (dbprof does "
		"without) or broken; what it is about; what was found (as above: the same). A line below that begins "
		"with -> says what to do.\n"
		"Where there is a GPU, each pass is tried on a small kernel in a process of its own, which takes some "
		"seconds.",
	.exits = "0 nothing is broken (something may be missing); 1 something is broken; 2 bad usage",
	.options = doctor_table,
	.option = cmd_doctor_option,
	.exec = cmd_doctor_exec,
	.state_size = sizeof(struct doctor_state),
};

static enum exit_status cmd_doctor_option(void *state, int key, const char *value)
{
	struct doctor_state *doctor = state;

	if (key == OPTION_DEVICE)
		return cmd_device(value, &doctor->device);
	doctor->json = true;
	return STATUS_DONE;
}

/* ---- findings ---- */

enum { MOST_TOLD = 64 };

/* An advice, and what it was given for. Owned. */
struct told {
	char *what, *advice;
};

/* What was found so far. */
struct findings {
	json_t *items; /* NULL: each is printed as it comes */
	enum doctor_level worst;
	/* What was printed: a reason is said once. */
	char *last;                  /* the finding printed last, with its advice; owned */
	struct told told[MOST_TOLD]; /* advice; owned */
	size_t ntold;
};

static const char *const level_names[] = {
	[DOCTOR_BROKEN] = "broken", [DOCTOR_MISSING] = "missing", [DOCTOR_HINT] = "hint", [DOCTOR_OK] = "ok"};

static json_t *doctor_item_json(const char *what, enum doctor_level level, const char *finding, const char *advice)
{
	json_t *item = json_object();

	put_json(item, "what", text_json(what));
	put_json(item, "status", text_json(level_names[level]));
	put_json(item, "finding", text_json(finding));
	put_json(item, "advice", text_json(advice));
	return item;
}

/* Whether the line before said the same. */
static bool is_as_above(struct findings *findings, const char *finding, const char *advice)
{
	char *both = xasprintf("%s\n%s", finding, advice);
	bool same = findings->last && strcmp(findings->last, both) == 0;

	free(findings->last);
	findings->last = both;
	return same;
}

/* For what the advice was given before, or NULL. */
static const char *advised_before(struct findings *findings, const char *what, const char *advice)
{
	for (size_t i = 0; i < findings->ntold; i++) {
		if (strcmp(findings->told[i].advice, advice) == 0)
			return findings->told[i].what;
	}
	if (findings->ntold < MOST_TOLD)
		findings->told[findings->ntold++] = (struct told){xstrdup(what), xstrdup(advice)};
	return NULL;
}

static void print_finding(
	struct findings *findings, const char *what, enum doctor_level level, const char *finding, const char *advice)
{
	bool as_above = is_as_above(findings, finding, advice);
	const char *before = *advice && !as_above ? advised_before(findings, what, advice) : NULL;

	printf("%-8s %-22s %s\n", level_names[level], what, as_above ? "as above" : finding);
	if (before)
		printf("%-8s %-22s -> as for %s\n", "", "", before);
	else if (*advice && !as_above)
		printf("%-8s %-22s -> %s\n", "", "", advice);
}

static void findings_free(struct findings *findings)
{
	for (size_t i = 0; i < findings->ntold; i++) {
		free(findings->told[i].what);
		free(findings->told[i].advice);
	}
	free(findings->last);
	json_decref(findings->items);
}

static void tell_finding(void *user, const char *what, enum doctor_level level, const char *finding, const char *advice)
{
	struct findings *findings = user;

	if (level < findings->worst)
		findings->worst = level;
	if (findings->items) {
		append_json(findings->items, doctor_item_json(what, level, finding, advice));
		return;
	}
	print_finding(findings, what, level, finding, advice ? advice : "");
}

/* ---- what reports need ---- */

/* The first line that `gnuplot --version` prints; "" if there is none. */
static void read_version(const char *program, char *version, int size)
{
	char command[1100];
	FILE *pipe;

	version[0] = '\0';
	snprintf(command, sizeof(command), "'%s' --version 2>/dev/null", program);
	/* NOLINTNEXTLINE(cert-env33-c): the caller has refused a name with a quote in it. */
	pipe = popen(command, "r");
	if (!pipe)
		return;
	if (!fgets(version, size, pipe))
		version[0] = '\0';
	pclose(pipe);
	version[strcspn(version, "\n")] = '\0';
}

static bool is_too_old(const char *version)
{
	int major, minor;

	return sscanf(version, "gnuplot %d.%d", &major, &minor) == 2 &&
	       (major < GNUPLOT_OLDEST_MAJOR || (major == GNUPLOT_OLDEST_MAJOR && minor < GNUPLOT_OLDEST_MINOR));
}

static bool check_gnuplot(struct findings *findings)
{
	const char *program = getenv("DBPROF_GNUPLOT");
	char version[128];

	if (!program || *program == '\0')
		program = "gnuplot";
	if (strpbrk(program, "'\n") || strlen(program) > 1000) {
		tell_finding(
			findings, "gnuplot", DOCTOR_BROKEN, "DBPROF_GNUPLOT is no usable name", "unset DBPROF_GNUPLOT");
		return false;
	}
	read_version(program, version, sizeof(version));
	if (version[0] == '\0')
		tell_finding(findings, "gnuplot", DOCTOR_BROKEN, "not found",
			"install it (Debian: apt-get install gnuplot-nox): reports need it");
	else if (is_too_old(version))
		tell_finding(findings, "gnuplot", DOCTOR_BROKEN, version,
			"install a newer one (5.4 is what dbprof is tested with)");
	else
		tell_finding(findings, "gnuplot", DOCTOR_OK, version, NULL);
	return version[0] != '\0' && !is_too_old(version);
}

static bool check_files(struct findings *findings)
{
	static const char *const needed[] = {
		"templates/index.mustache", "templates/definitions.html", "plots/canvas.gp"};
	char path[4096];
	struct error err = {0};

	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
		if (datafile_find(needed[i], path, sizeof(path), &err) == 0)
			continue;
		tell_finding(findings, "templates and plots", DOCTOR_BROKEN, needed[i], err.text);
		return false;
	}
	tell_finding(findings, "templates and plots", DOCTOR_OK, "found", NULL);
	return true;
}

static void check_shipped(struct findings *findings)
{
	char path[4096];
	struct error err = {0};

	if (datafile_find(SHIPPED_RECORDING, path, sizeof(path), &err) == 0)
		tell_finding(findings, "recording that ships", DOCTOR_OK, path, NULL);
	else
		tell_finding(findings, "recording that ships", DOCTOR_MISSING,
			"not found: `dbprof --all` has nothing to show without a GPU", err.text);
}

/* What works on recordings takes no GPU. */
static void check_reports(struct findings *findings)
{
	bool plots = check_gnuplot(findings), files = check_files(findings);

	check_shipped(findings);
	if (plots && files)
		tell_finding(
			findings, "dbprof report", DOCTOR_OK, "works, on recordings and Nsight Systems exports", NULL);
	else
		tell_finding(
			findings, "dbprof report", DOCTOR_BROKEN, "does not work", "see gnuplot, templates and plots");
	tell_finding(findings, "dbprof compare", DOCTOR_OK, "works: it needs nothing else", NULL);
	tell_finding(findings, "dbprof export", DOCTOR_OK, "works: it needs nothing else", NULL);
}

/* ---- recording ---- */

#ifdef HAVE_CUDA
/* `dbprof contrast` and `dbprof advise` do without. */
static void check_disassembler(struct findings *findings)
{
	struct error err = {0};
	char *path = disassembler_find(&err);

	if (path)
		tell_finding(findings, "nvdisasm", DOCTOR_OK, path, NULL);
	else
		tell_finding(findings, "nvdisasm", DOCTOR_MISSING,
			"not found: contrasts and advice will lack machine code",
			"NVIDIA's package cuda-nvdisasm has it");
	free(path);
}

static void check_recording(const struct doctor_state *doctor, struct findings *findings)
{
	record_doctor(doctor->device, tell_finding, findings);
	check_disassembler(findings);
}
#else
static void check_recording(const struct doctor_state *doctor, struct findings *findings)
{
	static const char why[] = "not here: this dbprof was built without CUDA";
	static const char *const tracing[] = {"dbprof trace", "dbprof contrast", "dbprof advise"};
	char what[32];

	(void)doctor;
	tell_finding(findings, "CUDA", DOCTOR_MISSING,
		"this dbprof was built without it: it can report, but not record",
		"install the CUDA Toolkit (12.8 or later) and run ./configure again");
	tell_finding(findings, "NVIDIA GPU", device_present() ? DOCTOR_OK : DOCTOR_MISSING,
		device_present() ? "present" : "none in this machine", NULL);
	for (int pass = 0; pass < PASSES_NUMBER; pass++) {
		snprintf(what, sizeof(what), "pass %s", pass_name((enum pass)pass));
		tell_finding(findings, what, DOCTOR_MISSING, why, NULL);
	}
	for (size_t i = 0; i < sizeof(tracing) / sizeof(tracing[0]); i++)
		tell_finding(findings, tracing[i], DOCTOR_MISSING, why, NULL);
}
#endif

/* ---- the command ---- */

static void print_json(const struct findings *findings)
{
	json_t *root = json_object();

	put_json(root, "broken", json_boolean(findings->worst == DOCTOR_BROKEN));
	put_json(root, "items", json_incref(findings->items));
	json_dumpf(root, stdout, JSON_INDENT(1)); /* main() sees whether it could be written */
	putchar('\n');
	json_decref(root);
}

static enum exit_status cmd_doctor_exec(void *state, int nargs, char **args)
{
	const struct doctor_state *doctor = state;
	struct findings findings = {.worst = DOCTOR_OK};

	if (nargs > 0) {
		cmd_error("doctor takes no argument such as '%s'", args[0]);
		return STATUS_USAGE;
	}
	if (doctor->json)
		findings.items = json_array();
	check_recording(doctor, &findings);
	check_reports(&findings);
	if (findings.items)
		print_json(&findings);
	findings_free(&findings);
	return findings.worst == DOCTOR_BROKEN ? STATUS_FAILED : STATUS_DONE;
}
