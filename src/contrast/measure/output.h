/* output.h: holds what the sides of a contrast printed against each other. */
#ifndef DBPROF_CONTRAST_OUTPUT_H
#define DBPROF_CONTRAST_OUTPUT_H

#include <stdint.h>

#include "util/error.h"

/* A file: 64-bit FNV-1a of its bytes, and how many there are. */
struct output {
	uint64_t hash;
	int64_t bytes;
};

/* OUTPUT_NO_COMMAND: that compares them; it is not there, or cannot be started. */
enum output_check { OUTPUT_SAME, OUTPUT_DIFFERS, OUTPUT_FAILED, OUTPUT_NO_COMMAND };

/* 0, or -1 with `err` if the file cannot be read. */
int output_sum(const char *path, struct output *sum, struct error *err);

/* Compares two files byte by byte. OUTPUT_FAILED with `err` if one cannot be read. */
enum output_check output_compare(const char *first, const char *other, struct error *err);

/* Runs a command with the names of both files behind its words: status 0 means the same, 1 that they differ.
 * OUTPUT_NO_COMMAND with `err` if it cannot be started, or ends with 127, as a shell does then. Anything else, and a
 * run of more than `timeout_ns` (0: no limit), is OUTPUT_FAILED with `err`. The list `words` ends with NULL
 * (util/text/words.h); what the command prints is dropped. */
enum output_check output_check_by(
	char *const *words, const char *first, const char *other, int64_t timeout_ns, struct error *err);

#endif
