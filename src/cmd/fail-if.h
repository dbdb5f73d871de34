/* fail-if.h: the option --fail-if: verdicts that end a command with a status of their own, for CI. */
#ifndef DBPROF_CMD_FAIL_IF_H
#define DBPROF_CMD_FAIL_IF_H

#include <jansson.h>

#include "cmd/cmd.h"

enum { OPTION_FAIL_IF = 401 };

/* What is a failure. */
enum fail_if { FAIL_IF_NOTHING, FAIL_IF_SLOWER, FAIL_IF_DIFFERENT };

extern const struct cmd_word fail_if_words[];

/* Its entry in a table of options. */
#define FAIL_IF_OPTION                                                                                                 \
	{                                                                                                              \
		OPTION_FAIL_IF, "fail-if", "WHAT",                                                                     \
			.value = VALUE_WORD, .words = fail_if_words,                                                   \
			.help = "end with status 3 if double buffering is so, 4 if that cannot be told",               \
			.more = "It counts families whose question is buffering, each in its first case. What is "     \
				"unclear passes `slower` if its interval rules out slower by more than 1 %."           \
	}

#define FAIL_IF_EXITS "with --fail-if: 3 a family is so, 4 none is, but of one it cannot be told"

/* Takes the option's value. */
enum exit_status take_fail_if(const char *value, enum fail_if *out);

/* What the tree of a report comes to: STATUS_DONE, STATUS_SLOWER or STATUS_UNCLEAR. One line on stderr says of whom,
 * but for the first. */
enum exit_status fail_if_status(const json_t *tree, enum fail_if what);

#endif
