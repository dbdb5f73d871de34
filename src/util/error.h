/* error.h: the caller's error buffer that every library function of dbprof reports into. */
#ifndef DBPROF_UTIL_ERROR_H
#define DBPROF_UTIL_ERROR_H

/* One line for a person: what went wrong and what to do. Owned by the caller; empty text means "no error yet". */
struct error {
	char text[1024];
};

/* Writes the message, replacing an earlier one; what could steer a terminal is taken out, so that it stays one line. `err` may
 * be NULL. Always returns -1, so that a failing function can end with `return error_set(err, ...)`. */
int error_set(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Puts "prefix: " before the message that is already there. Returns -1. */
int error_prefix(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
