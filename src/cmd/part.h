/* part.h: the options that make a report of a part of a recording, and what is told while it is read. */
#ifndef DBPROF_CMD_PART_H
#define DBPROF_CMD_PART_H

#include <stdbool.h>

#include "cmd/cmd.h"
#include "model/part/wish.h"

enum { OPTION_WINDOW = 410, OPTION_RANGE, OPTION_EVERY, OPTION_MEMORY };

/* Their entries in a table of options. */
#define PART_OPTIONS                                                                                                   \
	{OPTION_WINDOW, "window", "FROM..TO", .value = VALUE_OTHER,                                                    \
		.help = "only device work that begins in this time, such as 10s..20s",                                 \
		.more = "Times have a unit, ns, us, ms or s, and count as the recording's do (start_ns of `dbprof "    \
			"export --format=csv`; the timeline of Nsight Systems). Either time may be left out; without " \
			"both it is the whole recording, even if that does not fit into memory."},                     \
		{OPTION_RANGE, "range", "NAME", .value = VALUE_OTHER,                                                  \
			.help = "only what lies in NVTX ranges of this name or pattern, such as 'step *'",             \
			.more = "Work lies in a range if the call that asked for it does, on the range's thread. "     \
				"What other "                                                                          \
				"threads asked for meanwhile is left out, and the report says so."},                   \
		{OPTION_EVERY, "every", "N", .value = VALUE_NUMBER,                                                    \
			.help = "of the ranges that --range names each n-th, on each thread"},                         \
	{                                                                                                              \
		OPTION_MEMORY, "memory", "SIZE",                                                                       \
			.value = VALUE_OTHER,                                                                          \
			.help = "how much memory a report may take, such as 4G (default: what is free)",               \
			.more = "Of a program that would take more, the report is of the longest part from its "       \
				"middle that fits, and says so. Rows that take less than 8 MiB are all read: the "     \
				"report itself "                                                                       \
				"takes some 24 MiB."                                                                   \
	}

/* Takes an option of these: STATUS_DONE, or STATUS_USAGE behind a message. The wish borrows `value`. */
enum exit_status take_part(struct part_wish *wish, int key, const char *value);

/* Whether the options make sense together; if not, a message was printed. */
bool cmd_part_is_good(const struct part_wish *wish);

/* What is told: a forecast of a recording that takes some seconds, and on a terminal how far it is. */
struct reading_progress {
	struct part_hearer hearer;
	bool terminal;
	char file[128];
	int64_t rows;       /* in all, about */
	double began, last; /* when reading began, when the terminal was told last; 0: not yet (s, monotonic) */
};

/* Makes what a report's `hearer` is to be: &progress->hearer, for as long as the report is made. */
void reading_progress_begin(struct reading_progress *progress);

/* Removes what stands on the terminal. */
void reading_progress_end(struct reading_progress *progress);

#endif
