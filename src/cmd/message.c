/* message.c: see message.h. */
#include "config.h"

#include "cmd/message.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/signals.h"
#include "util/alloc.h"
#include "util/utf8.h"

/* Where a worker finds the process that started it: see record/worker/process.h, PROCESS_WORDS. */
enum { PARENT = 3 };

static bool gave_up; /* for a signal */
static int listener = STDERR_FILENO;

void cmd_error(const char *format, ...)
{
	char text[4096], line[sizeof(text) + 16];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	utf8_one_line(text);
	snprintf(line, sizeof(line), "dbprof: %s\n", text);
	if (listener == STDERR_FILENO)
		fputs(line, stderr);
	else
		(void)!write(listener, line, strlen(line));
}

void cmd_speak_to_parent(void)
{
	struct stat st;

	/* A worker that somebody started by hand has no pipe. */
	if (fstat(PARENT, &st) != 0 || !S_ISFIFO(st.st_mode))
		return;
	listener = PARENT;
	out_of_memory_to(PARENT);
}

enum exit_status cmd_fail(enum exit_status status, const struct error *err)
{
	cmd_error("%s", err->text);
	gave_up = cmd_interrupted(NULL);
	return status == STATUS_USAGE && error_is_of_system(err) ? STATUS_FAILED : status;
}

enum exit_status cmd_refuse(const char *option, const struct error *err)
{
	cmd_error("%s %s", option, err->text);
	return error_is_of_system(err) ? STATUS_FAILED : STATUS_USAGE;
}

enum exit_status cmd_fail_output(enum exit_status status, const struct error *err)
{
	return cmd_output_is_unread() ? cmd_end_unread() : cmd_fail(status, err);
}

enum exit_status cmd_lacks_cuda(const char *what)
{
	cmd_error("this dbprof was built without CUDA and %s: install the CUDA Toolkit (12.8 or later) and run "
		  "./configure again",
		what);
	return STATUS_FAILED;
}

bool cmd_gave_up(void)
{
	return gave_up;
}

const char *cmd_plural(long long n, const char *one, const char *many)
{
	return n == 1 ? one : many;
}
