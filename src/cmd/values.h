/* values.h: reading the values of options. What is no good is refused with a message that names the option. */
#ifndef DBPROF_CMD_VALUES_H
#define DBPROF_CMD_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmd/cmd.h"

/* A whole decimal number from `min` to `max`. */
bool cmd_number(const char *option, const char *text, long long min, long long max, long long *out);

/* One of the words: its number in the table. */
bool cmd_word(const char *option, const char *text, const struct cmd_word *words, int *out);

/* Some of the words, with commas between: sets the bits of their numbers. `noun` says what a word names. */
bool cmd_word_list(const char *option, const char *noun, const char *text, const struct cmd_word *words, unsigned *out);

/* A unit and its size; `name` NULL ends a table of them. */
struct cmd_unit {
	const char *name;
	double size;
};

/* The first `length` bytes of the text: digits and a point with one of the units, as a whole number. False if they are
 * something else; nothing is told then. */
bool cmd_quantity(const char *text, size_t length, const struct cmd_unit *units, int64_t *out);

/* The same for a time from ns to minutes, in ns; its units as messages name them. */
#define CMD_TIME_UNITS "ns, us, ms, s or min"
bool cmd_time(const char *text, size_t length, int64_t *out);

#endif
