/*
 * cmd.h: what a command is. Its table of options is the only place that names them: --help, the manual page and the
 * completion are made from it (`make manual`).
 *
 * Only main.c and src/cmd speak to people or decide exit statuses.
 */
#ifndef DBPROF_CMD_CMD_H
#define DBPROF_CMD_CMD_H

#include <stdbool.h>
#include <stddef.h>

#include "cmd/status.h"

/* What an argument is, or the value of an option. The completion proposes what fits. */
enum cmd_value {
	VALUE_NONE,
	VALUE_NUMBER,
	VALUE_WORD,      /* one of the option's words */
	VALUE_LIST,      /* some of them, with commas between */
	VALUE_PARAMETER, /* NAME=VALUE, a parameter of a family */
	VALUE_STREAM,    /* a file to write; "-" is standard output, and reaches option() as NULL */
	VALUE_FILE,      /* a file to write that cannot be standard output */
	VALUE_FOLDER,    /* a folder to write */
	VALUE_OBJECT,    /* a shared object */
	VALUE_RECORDING,
	VALUE_FAMILY, /* FAMILY or FAMILY/VARIANT */
	VALUE_COMMAND,
	VALUE_PROGRAM,
	VALUE_ARGUMENT, /* of a program: may be a file */
	VALUE_OTHER,    /* nothing can be proposed */
};

/* A word that an option takes; `name` NULL ends a table of them. */
struct cmd_word {
	const char *name;
	const char *help; /* as of an option */
};

/* One option; `name` NULL ends a table of them. Texts are plain English; `code` stands in backquotes. */
struct cmd_option {
	int key; /* the short letter, or a number above 255 for an option without one */
	const char *name;
	const char *argument; /* its placeholder, in capital letters; NULL if it takes none */
	enum cmd_value value;
	const struct cmd_word *words; /* of VALUE_WORD and VALUE_LIST */
	const char *help;             /* one line without a full stop */
	const char *more;             /* sentences that only the manual page adds; NULL if there are none */
	bool takes_dash;              /* of VALUE_FILE and VALUE_FOLDER: the command itself says what "-" means */
	bool once; /* a second one is refused: one could think that both count. Elsewhere the last one does. */
};

enum { CMD_TAKES = 3 };

struct cmd {
	const char *name;
	const char *arguments;            /* as in the usage line */
	enum cmd_value takes[CMD_TAKES];  /* its arguments in their order; the last one stands for all that follow */
	const char *summary;              /* one line without a full stop */
	const char *details;              /* paragraphs, each one line of any length; NULL if the summary says it all */
	const char *exits;                /* "0 done; 1 failed while running; ...", where that needs to be said */
	const struct cmd_option *options; /* its own; NULL if there are none */
	const struct cmd_option *shared;  /* those that it has in common with other commands; NULL if there are none */
	/* Called once for each option given. Any status but STATUS_DONE ends the command; the message was printed.
	 * `state` belongs to the command and is zeroed at first. */
	enum exit_status (*option)(void *state, int key, const char *value);
	/* Called then, with the other arguments. */
	enum exit_status (*exec)(void *state, int nargs, char **args);
	size_t state_size;
	bool hidden;            /* not for people: left out of the help */
	bool is_worker;         /* the process that started it speaks for it, and decides when it stops */
	bool stops_at_argument; /* what follows the first argument belongs to that: no option of ours */
};

/* --help, which every command has without a row in its table. */
extern const struct cmd_option cmd_help_option;

/* The option behind `option`, or the first one for NULL; NULL at the end. Its own come before the shared ones. */
const struct cmd_option *cmd_next_option(const struct cmd *cmd, const struct cmd_option *option);

#endif
