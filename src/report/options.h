/* options.h: what a report is made of, and what came of it. */
#ifndef DBPROF_REPORT_OPTIONS_H
#define DBPROF_REPORT_OPTIONS_H

#include <stdbool.h>

enum report_status { REPORT_DONE = 0, REPORT_FAILED = 1, REPORT_BAD_INPUT = 2 };

struct part_wish;
struct part_hearer;

/* What can lie beside a page, of each recording that it shows whole: bits. Both grow with the number of events. */
enum report_with { REPORT_WITH_TRACE = 1, REPORT_WITH_WORK = 2 };

/* Strings are borrowed for the length of the call. */
struct report_options {
	const char *const *files; /* recordings or Nsight Systems exports */
	int nfiles;
	const char *outdir; /* made if missing */
	bool shipped; /* the recording ships with dbprof and is not from this machine: said at the top of the page */
	const char *beside; /* page of a report that was made with this one, from outdir: linked at the top; or NULL */
	unsigned with;      /* of report_with */
	const char *const *redact;        /* as in model.h */
	const struct part_wish *part;     /* as in model.h; or NULL */
	const struct part_hearer *hearer; /* likewise */
	const char *version;              /* of dbprof */
	void (*begin)(void *user);        /* all is read, and from now on there is something to remove; may be NULL */
	bool (*interrupted)(void *user);  /* asked between steps; may be NULL */
	void *user;
};

#endif
