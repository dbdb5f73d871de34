/* redact.h: the option --redact, which several commands have. */
#ifndef DBPROF_CMD_REDACT_H
#define DBPROF_CMD_REDACT_H

#include "cmd/cmd.h"

enum { OPTION_REDACT = 400 };

/* Its entry in a table of options. */
#define REDACT_OPTION                                                                                                  \
	{                                                                                                              \
		OPTION_REDACT, "redact",                                                                               \
			.help = "leave out what tells whose it is: users' names become hashes",                        \
			.more = "Paths, command lines, kernel source, PTX and messages are left out. Names of "        \
				"kernels, NVTX "                                                                       \
				"ranges, threads, processes and files become short hashes, the same name always the "  \
				"same. "                                                                               \
				"Names of dbprof's own families, GPU, versions, dates and all numbers stay "           \
				"(docs/redact.md)."                                                                    \
	}

/* dbprof's own families, which keep their names; ended by NULL. */
const char *const *cmd_own_families(void);

#endif
