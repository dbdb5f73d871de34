/* cmd-doctor.c: `dbprof doctor`: what works here, what does not, and what to do about it. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "record/record.h"
#include "util/datafile.h"

static void item(void *user, const char *what, int ok, const char *finding, const char *advice)
{
	int *worst = user;

	printf("%-8s %-22s %s\n", ok > 0 ? "ok" : ok == 0 ? "missing" : "broken", what, finding);
	if (advice != NULL)
		printf("%-8s %-22s -> %s\n", "", "", advice);
	if (ok < *worst)
		*worst = ok;
}

/* The first line that `gnuplot --version` prints. */
static void check_gnuplot(int *worst)
{
	const char *program = getenv("DBPROF_GNUPLOT");
	char command[1100], version[128] = "";
	FILE *pipe;

	if (program == NULL || *program == '\0')
		program = "gnuplot";
	if (strpbrk(program, "'\n") != NULL || strlen(program) > 1000) {
		item(worst, "gnuplot", -1, "DBPROF_GNUPLOT is no usable name", "unset DBPROF_GNUPLOT");
		return;
	}
	snprintf(command, sizeof command, "'%s' --version 2>/dev/null", program);
	pipe = popen(command, "r");
	if (pipe != NULL) {
		if (fgets(version, sizeof version, pipe) == NULL)
			version[0] = '\0';
		pclose(pipe);
	}
	version[strcspn(version, "\n")] = '\0';
	if (version[0] != '\0')
		item(worst, "gnuplot", 1, version, NULL);
	else
		item(worst, "gnuplot", -1, "not found",
			"install it (Debian: apt-get install gnuplot-nox): reports need it");
}

static void check_files(int *worst)
{
	static const char *const needed[] = {"templates/index.mustache", "plots/timeline.gp", "docs/numbers.md"};
	char path[4096];
	struct error err = {""};

	for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
		if (datafile_find(needed[i], path, sizeof path, &err) == 0)
			continue;
		item(worst, "templates and plots", -1, needed[i], err.text);
		return;
	}
	item(worst, "templates and plots", 1, "found", NULL);
}

static enum exit_status exec(void *state, int nargs, char **args)
{
	int worst = 1;

	(void)state;
	if (nargs > 0) {
		cmd_error("doctor takes no argument such as '%s'", args[0]);
		return STATUS_USAGE;
	}
#ifdef HAVE_CUDA
	record_doctor(0, item, &worst);
#else
	item(&worst, "CUDA", 0, "this dbprof was built without it: it can report, but not record",
		"install the CUDA Toolkit (12.8 or later) and run ./configure again");
	item(&worst, "NVIDIA device", device_present(), device_present() ? "present" : "none in this machine", NULL);
#endif
	check_gnuplot(&worst);
	check_files(&worst);
	return worst < 0 ? STATUS_FAILED : STATUS_DONE;
}

const struct cmd cmd_doctor = {
	.name = "doctor",
	.arguments = "",
	.summary = "check driver, CUPTI, permissions and gnuplot: what works, what to do",
	.details = "Exit status: 0 if nothing is broken (something may be missing), else 1.",
	.exec = exec,
};
