/*
 * recording-script.h: rows of a recording as readable text, for tests.
 *
 * One row a line: the table's short name (KERNEL, NVTX, SAMPLE ...: the first word of TABLE() in store/schema.h), then
 * column=value for the columns that are not NULL. A value with spaces stands in double quotes; in quotes \n, \" and
 * \\ are as in C. Empty lines and lines that start with # are skipped. Times are as in the recording: from the
 * session's start.
 */
#ifndef TESTS_RECORDING_SCRIPT_H
#define TESTS_RECORDING_SCRIPT_H

#include "store/store.h"

/* The session's start of every recording made by these tests: 2030-01-01 00:00:00 UTC. */
#define SCRIPT_EPOCH_NS INT64_C(1893456000000000000)

/* Writes the row of one line. Returns 0, or -1 with what is wrong with the line. */
int script_line(struct recording *rec, const char *line, struct error *err);

/* The same for a formatted line. */
int script_row(struct recording *rec, struct error *err, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
