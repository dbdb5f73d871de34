/* commands.c: see commands.h. */
#include "contrast/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "contrast/measure/plan.h"
#include "util/alloc.h"
#include "util/strbuf.h"
#include "util/text/words.h"
#include "util/utf8.h"

static struct contrast_command *sides_add(struct sides *sides)
{
	sides->commands = xreallocarray(sides->commands, sides->n + 1, sizeof(*sides->commands));
	sides->commands[sides->n] = (struct contrast_command){0};
	return &sides->commands[sides->n++];
}

/* ---- {NAME} becomes a value ---- */

/* What --vary says. With `name` NULL nothing is replaced. */
struct variation {
	char *name, *value; /* `name` with its braces */
	size_t replaced;    /* how often it was found */
};

static char *sides_replace(struct variation *variation, const char *text)
{
	struct strbuf out = {0};
	const char *found;

	while (variation->name && (found = strstr(text, variation->name))) {
		strbuf_add(&out, text, (size_t)(found - text));
		strbuf_puts(&out, variation->value);
		text = found + strlen(variation->name);
		variation->replaced++;
	}
	strbuf_puts(&out, text);
	return strbuf_take(&out);
}

static char **replace_all(struct variation *variation, const char *const *texts, size_t n)
{
	char **out = xcalloc(n + 1, sizeof(*out));

	for (size_t i = 0; i < n; i++)
		out[i] = sides_replace(variation, texts[i]);
	return out;
}

/* ---- --vary ---- */

/* A report would show two values alike that differ in such characters alone. */
static bool has_control_character(const char *text)
{
	char *visible = utf8_visible(text, strlen(text)), *clean = utf8_clean(text, strlen(text), NULL);
	bool has = strcmp(visible, clean) != 0;

	for (; *text != '\0' && !has; text++)
		has = (unsigned char)*text < ' ';
	free(visible);
	free(clean);
	return has;
}

static int check_variation(const char *vary, struct error *err)
{
	size_t length = strcspn(vary, "=");

	if (has_control_character(vary))
		return error_set(
			err, "--vary has a control character, as a line break or a tab, which a report cannot show");
	if (vary[length] == '\0' || length == 0 || strcspn(vary, "{}") < length)
		return error_set(err, "--vary takes NAME=VALUE,VALUE..., such as stages=1,2,3, not '%s'", vary);
	if (!strchr(vary + length, ','))
		return error_set(err, "--vary=%s has one value: give two or more, with commas between", vary);
	return 0;
}

/* The command that a recording cannot tell from another one of this name; or NULL. A recording keeps the begin of a
 * long name. */
static const struct contrast_command *find_command(const struct sides *sides, const char *name)
{
	enum { KEPT = 4000 };

	for (size_t i = 0; i < sides->n; i++)
		if (strncmp(sides->commands[i].name, name, KEPT) == 0)
			return &sides->commands[i];
	return NULL;
}

/* A recording has no other text than UTF-8, and rows of a side are found by its name: so that is how it is kept. */
static char *label_of_value(
	const struct sides *sides, const struct sides_wish *wish, const char *value, struct error *err)
{
	char *label = xasprintf("%.*s=%s", (int)strcspn(wish->vary, "="), wish->vary, value);
	char *name = utf8_clean(label, strlen(label), NULL);
	const struct contrast_command *other = find_command(sides, name);

	free(label);
	if (!other)
		return name;
	free(name);
	if (strcmp(other->value, value) == 0)
		error_set(err, "--vary=%s has the value %s twice", wish->vary, value);
	else
		error_set(err,
			"--vary has two values that a report cannot tell apart: they differ only in bytes that are no "
			"UTF-8, or behind their first 4000");
	return NULL;
}

static int commands_add_value(struct sides *sides, const struct sides_wish *wish, int nargs, char **args,
	const char *value, size_t length, struct error *err)
{
	size_t name = strcspn(wish->vary, "=");
	struct variation variation = {
		.name = xasprintf("{%.*s}", (int)name, wish->vary), .value = xasprintf("%.*s", (int)length, value)};
	char *label = NULL;
	int code = 0;

	if (length == 0)
		code = error_set(err, "--vary=%s has an empty value", wish->vary);
	else if (!(label = label_of_value(sides, wish, variation.value, err)))
		code = -1;
	if (code == 0) {
		struct contrast_command *command = sides_add(sides);

		command->name = label;
		command->argv = replace_all(&variation, (const char *const *)args, (size_t)nargs);
		command->environment = replace_all(&variation, wish->environment, wish->nenvironment);
		command->vary = xasprintf("%.*s", (int)name, wish->vary);
		command->value = xstrdup(variation.value);
		if (variation.replaced == 0)
			code = error_set(err,
				"nothing varies: write %s where the value belongs, in an argument or in --env",
				variation.name);
	}
	free(variation.name);
	free(variation.value);
	return code;
}

static int sides_vary(struct sides *sides, const struct sides_wish *wish, int nargs, char **args, struct error *err)
{
	if (check_variation(wish->vary, err) < 0)
		return -1;
	if (nargs == 0)
		return error_set(err, "which program? as in `dbprof contrast --vary stages=1,2 -- ./program {stages}`");
	for (const char *value = strchr(wish->vary, '='); value; value = strchr(value, ',')) {
		value++;
		if (commands_add_value(sides, wish, nargs, args, value, strcspn(value, ","), err) < 0)
			return -1;
	}
	return 0;
}

/* ---- commands ---- */

/* Of `sh -c COMMAND`; there is room for one more. */
static char **shell_words(char *command)
{
	char **words = xcalloc(5, sizeof(*words));

	words[0] = xstrdup("/bin/sh");
	words[1] = xstrdup("-c");
	words[2] = command;
	return words;
}

static char *side_label(int side, int nsides)
{
	if (side == 0)
		return xstrdup("single");
	return nsides == 2 ? xstrdup("other") : xasprintf("other-%d", side);
}

/* An option behind a command would be run as one, and not be heard. The first argument is no option of ours: it would
 * have been taken for one. */
static int check_dashes(int nargs, char **args, struct error *err)
{
	for (int i = 1; i < nargs; i++)
		if (args[i][0] == '-')
			return error_set(err,
				"'%s' stands behind a command: options come before all commands, and those of a "
				"command inside its quotes",
				args[i]);
	return 0;
}

static int sides_commands(struct sides *sides, const struct sides_wish *wish, int nargs, char **args, struct error *err)
{
	struct variation none = {0};

	if (!wish->dashed && check_dashes(nargs, args, err) < 0)
		return -1;
	if (nargs < 2)
		return error_set(err,
			"give two commands, each as one argument, as in `dbprof contrast './mm --stages 1' "
			"'./mm --stages 3'`, or one with --vary");
	for (int i = 0; i < nargs; i++) {
		char **argv = wish->shell ? shell_words(xstrdup(args[i])) : words_split(args[i], "--shell", err);
		struct contrast_command *command;

		if (!argv)
			return -1;
		command = sides_add(sides);
		command->name = side_label(i, nargs);
		command->argv = argv;
		command->environment = replace_all(&none, wish->environment, wish->nenvironment);
	}
	return 0;
}

int sides_make(const struct sides_wish *wish, int nargs, char **args, struct sides *out, struct error *err)
{
	int code;

	*out = (struct sides){.first = nargs > 0 ? args[0] : NULL};
	if (wish->vary && wish->shell)
		return error_set(err, "--shell reads commands of one argument each: --vary has none");
	code = wish->vary ? sides_vary(out, wish, nargs, args, err) : sides_commands(out, wish, nargs, args, err);
	if (code == 0 && out->n > PLAN_MOST_SIDES)
		code = error_set(
			err, "%zu commands are too many for one contrast: %d at most", out->n, PLAN_MOST_SIDES);
	if (code < 0)
		sides_free(out);
	return code;
}

/* Behind its words, and $1 and $2 in it. */
static char **check_by_shell(const char *command, struct error *err)
{
	char **words;

	if (command[strspn(command, " \t\n")] == '\0') {
		error_set(err, "a command is empty");
		return NULL;
	}
	words = shell_words(xasprintf("%s \"$@\"", command));
	words[3] = xstrdup("sh");
	return words;
}

char **sides_check_command(const struct sides_wish *wish, const char *command, struct error *err)
{
	return wish->shell ? check_by_shell(command, err) : words_split(command, wish->vary ? "sh -c" : "--shell", err);
}

/* ---- what may be wrong with the quotes ---- */

static bool is_program_at(const char *folder, size_t length, const char *name)
{
	char *path = xasprintf("%.*s%s%s", (int)length, folder, length > 0 ? "/" : "", name);
	struct stat file;
	bool is = stat(path, &file) == 0 && S_ISREG(file.st_mode) && access(path, X_OK) == 0;

	free(path);
	return is;
}

/* Whether a program is found as execvp() does it. */
static bool is_program(const char *name)
{
	const char *folder = getenv("PATH");
	bool is = false;

	if (strchr(name, '/'))
		return is_program_at("", 0, name);
	while (folder && *folder != '\0' && !is) {
		size_t length = strcspn(folder, ":");

		is = is_program_at(folder, length, name);
		folder += length + (folder[length] == ':');
	}
	return is;
}

/* Whether all commands are of one word, several are not the same, and one is no program: neither here nor, with a slash
 * in it, misspelt. So it is an argument. */
static bool are_words_of_one(const struct sides *sides)
{
	bool any = false, differ = false;

	for (size_t i = 0; i < sides->n; i++) {
		char **argv = sides->commands[i].argv;

		if (argv[1])
			return false;
		any |= !strchr(argv[0], '/') && !is_program(argv[0]);
		differ |= strcmp(argv[0], sides->commands[0].argv[0]) != 0;
	}
	return any && differ;
}

static char *hint_for_words(const struct sides *sides)
{
	char **words = xcalloc(sides->n + 1, sizeof(*words)), *joined;
	struct strbuf hint = {0};

	for (size_t i = 0; i < sides->n; i++)
		words[i] = sides->commands[i].argv[0];
	joined = words_join(words);
	strbuf_puts(&hint, "each command is one argument, with quotes around its words: ");
	words_quote(&hint, joined);
	free(joined);
	free(words);
	return strbuf_take(&hint);
}

static char *hint_for_vary(const struct sides_wish *wish, const struct sides *sides)
{
	struct strbuf hint = {0};

	strbuf_puts(&hint, "with --vary no quotes stand around the program and its arguments: dbprof contrast --vary ");
	words_quote(&hint, wish->vary);
	strbuf_printf(&hint, " -- %s", sides->first);
	return strbuf_take(&hint);
}

char *sides_hint(const struct sides_wish *wish, const struct sides *sides)
{
	char **first = sides->commands[0].argv;

	if (!wish->vary)
		return are_words_of_one(sides) ? hint_for_words(sides) : NULL;
	return !first[1] && strpbrk(first[0], " \t") && !is_program(first[0]) ? hint_for_vary(wish, sides) : NULL;
}

void sides_free(struct sides *sides)
{
	for (size_t i = 0; i < sides->n; i++) {
		free((char *)sides->commands[i].name);
		free((char *)sides->commands[i].vary);
		free((char *)sides->commands[i].value);
		words_free(sides->commands[i].argv);
		words_free(sides->commands[i].environment);
	}
	free(sides->commands);
	*sides = (struct sides){0};
}
