/* advice.c: see advice.h. */
#include "words/advice/advice.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"
#include "util/strbuf.h"
#include "util/text/words.h"
#include "words/advice/kernel.h"

enum { ANSWER_MOST = 600 };

/* ---- the answer ---- */

static void nothing_judged(const json_t *advised, char *text, size_t size)
{
	const json_t *missing = json_array_get(json_object_get(advised, "missing"), 0);

	if (tree_real(advised, "kernels") > 0)
		clip_print(text, size, "No kernel could be judged.");
	else
		clip_print(text, size, "No kernel was looked at%s%.300s.", missing ? ": " : "",
			tree_text(missing, "reason"));
}

/* What would pay in the kernels of which it is advised. */
static const char *what_pays(const json_t *advice)
{
	const json_t *kernel;
	bool more = false, fewer = false;
	size_t i;

	json_array_foreach(advice, i, kernel)
	{
		bool is_fewer = strcmp(tree_text(json_object_get(kernel, "action"), "id"), "fewer-stages") == 0;

		if (strcmp(tree_text(kernel, "verdict"), "pays") != 0)
			continue;
		fewer |= is_fewer;
		more |= !is_fewer;
	}
	return !fewer ? "More buffers" : more ? "Another number of buffers" : "Fewer buffers";
}

/* "More buffers would pay in 2 of 5 kernels. That would save about 12.0 % of the kernel time (8.00 % to 16.0 %)." */
static void kernels_answer(const json_t *advised, const json_t *advice, char *text, size_t size)
{
	const json_t *verdicts = json_object_get(advised, "verdicts"), *saved = json_object_get(advised, "saved");
	double pays = tree_real(verdicts, "pays"), against = tree_real(verdicts, "does-not");
	double close = tree_real(verdicts, "too-close"), all = pays + against + close + tree_real(verdicts, "unknown");
	char share[FORMAT_SIZE], low[FORMAT_SIZE], high[FORMAT_SIZE];

	if (pays + against + close == 0)
		nothing_judged(advised, text, size);
	else if (pays > 0)
		clip_print(text, size,
			"%s would pay in %.0f of %.0f kernels. That would save about %s of the kernel time (%s to "
			"%s).",
			what_pays(advice), pays, all, format_percent(share, sizeof(share), tree_real(saved, "mid")),
			format_percent(low, sizeof(low), tree_real(saved, "low")),
			format_percent(high, sizeof(high), tree_real(saved, "high")));
	else if (close > 0)
		clip_print(text, size,
			"Of the %.0f kernels that were looked at (%s of the kernel time) none is told to gain by more "
			"buffers; %.0f %s too close to tell.",
			all, format_percent(share, sizeof(share), tree_real(advised, "looked_at")), close,
			close == 1 ? "is" : "are");
	else
		clip_print(text, size,
			"More buffers would pay in none of the %.0f kernels that were looked at (%s of the kernel "
			"time).",
			all, format_percent(share, sizeof(share), tree_real(advised, "looked_at")));
}

/* ---- how to check it ---- */

/* The name as an extended regular expression that matches nothing else. */
static char *exact_pattern(const char *name)
{
	struct strbuf text = {0};

	strbuf_putc(&text, '^');
	for (; *name; name++) {
		if (strchr("\\.[]{}()*+?^$|", *name))
			strbuf_putc(&text, '\\');
		strbuf_putc(&text, *name);
	}
	strbuf_putc(&text, '$');
	return strbuf_take(&text);
}

static void add_quoted_option(struct strbuf *text, const char *option, const char *value)
{
	strbuf_printf(text, " --%s ", option);
	words_quote(text, value);
}

/* The environment has a setting a line; a line without "=" belongs to the value before it. */
static size_t setting_length(const char *at)
{
	size_t n = strcspn(at, "\n");

	while (at[n]) {
		size_t line = strcspn(at + n + 1, "\n");

		if (line == 0 || memchr(at + n + 1, '=', line))
			break;
		n += 1 + line;
	}
	return n;
}

static void add_environment(struct strbuf *text, const char *environment)
{
	while (*environment) {
		size_t length = setting_length(environment);
		struct strbuf one = {0};

		strbuf_printf(&one, "%.*s", (int)length, environment);
		add_quoted_option(text, "env", one.text);
		strbuf_free(&one);
		environment += length + (environment[length] == '\n');
	}
}

static void add_time_option(struct strbuf *text, const char *option, const json_t *advised, const char *key)
{
	if (tree_has(advised, key))
		strbuf_printf(text, " --%s=%.0fs", option, tree_real(advised, key));
}

/* What runs the program with the number of stages as it is and with the advised one. The person says where that number
 * goes. */
static char *check_command(const json_t *advised, const json_t *kernel)
{
	const json_t *gain = advised_gain(kernel);
	double now = tree_real(json_object_get(json_object_get(kernel, "now"), "stages"), "value");
	double stages = tree_real(gain, "stages");
	char *pattern = exact_pattern(tree_text(kernel, "kernel"));
	struct strbuf text = {0};

	strbuf_puts(&text, "dbprof contrast");
	if (tree_has(advised, "range"))
		add_quoted_option(&text, "range", tree_text(advised, "range"));
	add_quoted_option(&text, "kernel", pattern);
	add_environment(&text, tree_text(advised, "environment"));
	add_time_option(&text, "budget", advised, "check_budget_s");
	add_time_option(&text, "timeout", advised, "check_timeout_s");
	strbuf_printf(&text, " --vary stages=%.0f,%.0f -- %s '{stages}'", now >= 1 ? now : 1,
		now == stages ? stages + 1 : stages, tree_text(advised, "command"));
	free(pattern);
	return strbuf_take(&text);
}

/* Of a redacted recording nobody knows the command. */
static void put_check(const json_t *advised, json_t *kernel)
{
	bool known = advised_gain(kernel) && tree_has(advised, "command");
	char *command = known ? check_command(advised, kernel) : NULL;

	put_json(kernel, "check", text_json(command));
	free(command);
}

/* ---- names ---- */

static bool is_only_one(const json_t *advice, const json_t *kernel)
{
	const json_t *other;
	size_t i;

	json_array_foreach(advice, i,
		other) if (other != kernel &&
			   strcmp(tree_text(other, "kernel"), tree_text(kernel, "kernel")) == 0) return false;
	return true;
}

/* The length of a template's arguments, which begin with "<" and may have parentheses in them. */
static size_t arguments_length(const char *at)
{
	int depth = 0;
	size_t n = 0;

	do
		depth += (at[n] == '<') - (at[n] == '>');
	while (at[n] && n++ < ANSWER_MOST && depth > 0);
	return n;
}

/* The base name; where others have it, too, the whole name without its result and its parameters: "tiles<2, 64>". */
static void label_text(const json_t *advice, const json_t *kernel, char *text, size_t size)
{
	const char *base = tree_text(kernel, "kernel"), *at = strstr(tree_text(kernel, "name"), base);
	size_t length = at ? strlen(base) : 0;

	if (!at || is_only_one(advice, kernel))
		clip_print(text, size, "%s", base);
	else if (at[length] == '<')
		clip_print(text, size, "%.*s", (int)(length + arguments_length(at + length)), at);
	else
		clip_print(text, size, "%s", at);
}

/* ---- all of it ---- */

void words_program_advice(json_t *recording)
{
	json_t *advised = json_object_get(recording, "advised"), *advice = json_object_get(recording, "advice"),
	       *kernel;
	char text[ANSWER_MOST];
	size_t i;

	if (!json_is_object(advised))
		return;
	json_array_foreach(advice, i, kernel)
	{
		label_text(advice, kernel, text, sizeof(text));
		put_json(kernel, "label", text_json(text));
		words_advised_kernel(kernel);
		put_check(advised, kernel);
	}
	kernels_answer(advised, advice, text, sizeof(text));
	put_json(advised, "answer", text_json(text));
}
