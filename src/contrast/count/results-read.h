/* results-read.h: takes what the library in the program has counted. */
#ifndef DBPROF_CONTRAST_COUNT_RESULTS_READ_H
#define DBPROF_CONTRAST_COUNT_RESULTS_READ_H

#include "contrast/count/results.h"
#include "util/error.h"

/* Who takes a record; `bytes` of it are followed by a zero. */
typedef void count_results_taker(void *user, const struct count_record *head, const char *bytes);

/* Calls `take` for each whole record of all files in the folder, and removes the files. Its bytes are gone
 * behind the call. The program had the files: what is no record ends a file. -1 with `err` if the folder or
 * a file cannot be read. */
int count_results_take(const char *folder, count_results_taker *take, void *user, struct error *err);

#endif
