/* make-report.h: a report, as `dbprof report` and `dbprof run` make it. */
#ifndef DBPROF_CMD_MAKE_REPORT_H
#define DBPROF_CMD_MAKE_REPORT_H

#include <jansson.h>
#include <stdbool.h>

#include "cmd/cmd.h"
#include "cmd/part.h"
#include "cmd/fail-if.h"
#include "cmd/status.h"

/* The recordings that `dbprof run` shows where no NVIDIA GPU exists; for datafile_find(): that of the families, and a
 * training loop before and after its double buffering. */
#define SHIPPED_RECORDING "reports/recordings/h100.sqlite.zst"
#define SHIPPED_BEFORE "reports/recordings/loader-before.sqlite.zst"
#define SHIPPED_AFTER "reports/recordings/loader-after.sqlite.zst"

enum { OPTION_WITH = 402 };

extern const struct cmd_word with_words[];

/* The option --with, which the commands that make a report have: its entry in a table of options. */
#define WITH_OPTION                                                                                                    \
	{                                                                                                              \
		OPTION_WITH, "with", "LIST",                                                                           \
			.value = VALUE_LIST, .words = with_words,                                                      \
			.help = "also write these files beside the page, with commas between",                         \
			.more = "They grow with the number of events. The page links what is there."                   \
	}

/* Takes the option's value: sets bits of enum report_with. */
enum exit_status take_with(const char *value, unsigned *with);

/* How a report is wanted. */
struct report_wish {
	const char *outdir;
	const char *beside; /* the page of another report, from `outdir`, or NULL */
	bool shipped;       /* the recording ships with dbprof */
	unsigned with;      /* of enum report_with: files beside the page */
	bool redact;
	const struct part_wish *part; /* of programs; NULL: all that fits */
	bool markdown; /* no folder: the text goes to the file `outdir`, or to standard output if that is NULL */
	enum fail_if fail_if;
	bool failure_told; /* somebody has been told why the runs of a contrast ended */
	json_t **untold;   /* where nothing is to be printed: gets the tree, for cmd_tell_report(); else NULL */
};

/* Makes the folder of a report, if it is not there, for a command that measures first: whether a report can be made in
 * it should be known before. *made: how many folders are new, for outdir_unmake_folders(). Says what is wrong. */
enum exit_status cmd_make_folder(const char *outdir, size_t *made);

/* Makes a report of `files`, prints what it says in short, and where it is. With the status that `fail_if` asks for. */
enum exit_status cmd_make_report(const char *const *files, int nfiles, const struct report_wish *wish);

/* Prints what a report in `outdir` says in short, and where it is. */
void cmd_tell_report(const json_t *tree, const char *outdir);

#endif
