/* error.h: the caller's buffer for errors. Every library function of dbprof reports into it. */
#ifndef DBPROF_UTIL_ERROR_H
#define DBPROF_UTIL_ERROR_H

#include <stdbool.h>

/* One line for a person: what went wrong and what to do. The caller owns it; an empty text means "no error yet". */
struct error {
	bool of_system; /* memory, a disk or a process is to blame: see error_system() */
	char text[1024];
};

/* Writes the message over an earlier one. Control characters and bad UTF-8 are taken out, so that it stays one line.
 * `err` may be NULL. Always returns -1, so that a failing function can end with `return error_set(err, ...)`. */
int error_set(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same where not the input is to blame, but memory, a disk or a process: a later try may succeed. */
int error_system(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Whether there is a message, and it was set by error_system(). */
bool error_is_of_system(const struct error *err);

/* Puts "prefix: " before the message that is already there. Returns -1. */
int error_prefix(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

#ifdef __clang_analyzer__
/* The analyzer sees one file at a time. This tells it that these return -1. */
static inline int error_known(int result)
{
	(void)result;
	return -1;
}
#define error_set(...) error_known((error_set)(__VA_ARGS__))
#define error_system(...) error_known((error_system)(__VA_ARGS__))
#define error_prefix(...) error_known((error_prefix)(__VA_ARGS__))
#endif

#endif
