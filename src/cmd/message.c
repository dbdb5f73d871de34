/* message.c: see message.h. */
#include "config.h"

#include "cmd/message.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/signals.h"
#include "store/store.h"
#include "util/alloc.h"
#include "util/strbuf.h"
#include "util/utf8.h"

/* Where a worker finds the process that started it: see record/worker/process.h, PROCESS_WORDS. */
enum { PARENT = 3 };

static bool gave_up; /* for a signal */
static int listener = STDERR_FILENO;

/* A recording whose name is hidden. */
struct hidden {
	char *path; /* as a message has it; owned */
	char name[64];
};

static struct hidden *hidden;
static int nhidden;

void cmd_redact_messages(const char *const *files, int n)
{
	for (int i = 0; i < nhidden; i++)
		free(hidden[i].path);
	free(hidden);
	hidden = xcalloc((size_t)n + 1, sizeof(*hidden));
	nhidden = n;
	for (int i = 0; i < n; i++) {
		hidden[i].path = xstrdup(files[i]);
		utf8_one_line(hidden[i].path);
		store_redacted_name(files[i], hidden[i].name, sizeof(hidden[i].name));
	}
}

/* A file may be called like a word, or like a part of one. */
static bool path_stands_alone(const char *text, const char *at, size_t length)
{
	return (at == text || strchr(" '\"(", at[-1])) && !isalnum((unsigned char)at[length]) && at[length] != '/';
}

/* The file at a place of a message; NULL if there is none. The longest, since one may begin like another. */
static const struct hidden *hidden_at(const char *text, const char *at)
{
	const struct hidden *found = NULL;

	for (int i = 0; i < nhidden; i++) {
		size_t length = strlen(hidden[i].path);

		if (length > 0 && strncmp(at, hidden[i].path, length) == 0 && path_stands_alone(text, at, length) &&
			(!found || length > strlen(found->path)))
			found = &hidden[i];
	}
	return found;
}

/* For free(). */
static char *with_hidden_names(const char *text)
{
	struct strbuf out = {0};

	for (const char *at = text; *at != '\0';) {
		const struct hidden *file = hidden_at(text, at);

		if (file)
			strbuf_puts(&out, file->name);
		else
			strbuf_putc(&out, *at);
		at += file ? strlen(file->path) : 1;
	}
	return strbuf_take(&out);
}

void cmd_error(const char *format, ...)
{
	char text[4096], line[sizeof(text) + 16];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	utf8_one_line(text);
	if (nhidden > 0) {
		char *redacted = with_hidden_names(text);

		snprintf(text, sizeof(text), "%s", redacted);
		free(redacted);
	}
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
