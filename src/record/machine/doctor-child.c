/* doctor-child.c: trials in processes of their own. See doctor.h. */
#include "record/machine/doctor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "record/worker/process.h"
#include "util/alloc.h"

/* Shared with the child. */
struct
try {
	void (*trial)(int device, struct trial *out);
	int device;
	struct trial result;
	bool finished;
};

/* Libraries print to standard error. Standard output leads nowhere already. */
static void silence(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null >= 0)
		(void)dup2(null, STDERR_FILENO);
}

static void try_in_child(void *user)
{
	struct try *try = user;

	silence();
	try->trial(try->device, &try->result);
	try->finished = true;
}

/* Says why the trial has no result. */
static void tell_end(struct process_end *end, int timeout_ms, struct error *out)
{
	char how[128];

	process_describe(end->status, how, sizeof(how));
	if (end->timed_out)
		error_set(out, "the trial did not end within %g s", timeout_ms / 1e3);
	else if (end->words[0] != '\0')
		error_set(out, "the trial ended: %s", process_reason(end));
	else
		error_set(out, "the trial %s", how);
}

void trial_in_child(void (*trial)(int device, struct trial *out), int device, int timeout_ms, struct trial *out)
{
	/* cppcheck-suppress invalidFunctionArg ; -1 is what anonymous memory asks for */
	struct try *try = mmap(NULL, sizeof(*try), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct process_end end;

	if (try == MAP_FAILED)
		out_of_memory();
	*out = (struct trial){TRIAL_BROKEN, {0}};
	*try = (struct try){.trial = trial, .device = device, .result = *out};
	if (process_call(try_in_child, try, timeout_ms, &end, &out->text) == 0 && !try->finished)
		tell_end(&end, timeout_ms, &out->text);
	else if (try->finished)
		*out = try->result;
	munmap(try, sizeof(*try));
}
