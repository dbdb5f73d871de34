/* commands.h: from the arguments of `dbprof contrast` to the commands that it runs. */
#ifndef DBPROF_CONTRAST_COMMANDS_H
#define DBPROF_CONTRAST_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>

#include "contrast/options.h"
#include "util/error.h"

/* What the options say about the commands. Texts are borrowed. */
struct sides_wish {
	const char *vary;         /* NAME=VALUE,VALUE...; NULL: each argument is a command */
	const char **environment; /* NAME=VALUE, `nenvironment` of them */
	size_t nenvironment;
	bool shell;  /* a shell reads each command, also the one that compares outputs */
	bool dashed; /* a command may begin with a dash: `--` stood before all of them */
};

/* The commands; sides_free() frees them. */
struct sides {
	struct contrast_command *commands;
	size_t n;
	const char *first; /* the first argument as it was given; borrowed */
};

/* 0, or -1 with `err`, which says what to write instead. */
int sides_make(const struct sides_wish *wish, int nargs, char **args, struct sides *out, struct error *err);
void sides_free(struct sides *sides);

/* What may be wrong with the quotes if a program cannot be found, and what to write; for free(). NULL: nothing. */
char *sides_hint(const struct sides_wish *wish, const struct sides *sides);

/* The words of the command that compares two outputs, for words_free(): two names of files are to stand behind them.
 * NULL with `err`. */
char **sides_check_command(const struct sides_wish *wish, const char *command, struct error *err);

#endif
