/* words.c: see words.h. */
#include "util/text/words.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"

/* What is split, and the words so far. */
struct splitting {
	const char *at;
	struct strbuf word;
	bool in_word; /* an empty word in quotes is one, too */
	bool plain;   /* all of the word so far stood without quotes */
	char **words;
	size_t n, room;
	const char *shell;
	struct error *err;
};

static int shell_only(const struct splitting *s, const char *what)
{
	return error_set(s->err, "%s in a command: only a shell understands it: use %s, or quote it", what, s->shell);
}

static void splitting_keep(struct splitting *s, char c)
{
	strbuf_putc(&s->word, c);
	s->in_word = true;
}

static void splitting_end_word(struct splitting *s)
{
	if (!s->in_word)
		return;
	xgrow(&s->words, s->n + 1, &s->room, sizeof(*s->words));
	s->words[s->n++] = strbuf_take(&s->word);
	s->words[s->n] = NULL;
	s->in_word = false;
}

/* `at` is behind the quote. */
static int take_single(struct splitting *s)
{
	const char *end = strchr(s->at, '\'');

	if (!end)
		return error_set(s->err, "a command has an open quote: ' is missing");
	strbuf_add(&s->word, s->at, (size_t)(end - s->at));
	s->at = end + 1;
	return 0;
}

static int take_double(struct splitting *s)
{
	for (; *s->at != '"'; s->at++) {
		if (*s->at == '\0')
			return error_set(s->err, "a command has an open quote: \" is missing");
		if (*s->at == '$' || *s->at == '`')
			return shell_only(s, *s->at == '$' ? "$ between \"" : "` between \"");
		if (s->at[0] == '\\' && s->at[1] == '\n') {
			s->at++;
			continue;
		}
		if (s->at[0] == '\\' && s->at[1] != '\0' && strchr("\"\\$`", s->at[1]))
			s->at++;
		strbuf_putc(&s->word, *s->at);
	}
	s->at++;
	return 0;
}

static int take_backslash(struct splitting *s)
{
	if (*s->at == '\0')
		return error_set(s->err, "a command ends with \\: nothing follows it");
	if (*s->at != '\n')
		splitting_keep(s, *s->at);
	s->plain = s->plain && *s->at == '\n';
	s->at++;
	return 0;
}

static bool is_name(const char *text)
{
	if (!text || (!isalpha((unsigned char)*text) && *text != '_'))
		return false;
	while (isalnum((unsigned char)*text) || *text == '_')
		text++;
	return *text == '\0';
}

/* A character without quotes. */
static int take_plain(struct splitting *s, char c)
{
	const char what[] = {c, '\0'};

	if (strchr("|&;<>()$`*?", c) || (!s->in_word && strchr("~#", c)))
		return shell_only(s, what);
	if (c == '=' && s->n == 0 && s->plain && is_name(s->word.text))
		return error_set(
			s->err, "%s= before a command: use %s, or env %s=...", s->word.text, s->shell, s->word.text);
	splitting_keep(s, c);
	return 0;
}

static int take_quoted(struct splitting *s, char c)
{
	s->plain = s->plain && c == '\\';
	s->in_word = s->in_word || c != '\\';
	if (c == '\\')
		return take_backslash(s);
	return c == '\'' ? take_single(s) : take_double(s);
}

static int take_all(struct splitting *s)
{
	while (*s->at != '\0') {
		char c = *s->at++;
		int code = 0;

		s->plain = s->plain || !s->in_word;
		if (c == ' ' || c == '\t' || c == '\n')
			splitting_end_word(s);
		else
			code = strchr("'\"\\", c) ? take_quoted(s, c) : take_plain(s, c);
		if (code < 0)
			return -1;
	}
	splitting_end_word(s);
	return s->n > 0 ? 0 : error_set(s->err, "a command is empty");
}

char **words_split(const char *command, const char *shell, struct error *err)
{
	struct splitting s = {.at = command, .shell = shell, .err = err};
	int code = take_all(&s);

	strbuf_free(&s.word);
	if (code == 0)
		return s.words;
	words_free(s.words);
	return NULL;
}

void words_free(char **words)
{
	for (size_t i = 0; words && words[i]; i++)
		free(words[i]);
	free(words);
}

/* ---- back ---- */

/* NAME= would be a setting before a command. */
static bool is_plain_word(const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./,:@%=";
	size_t name = strcspn(word, "=");

	return *word != '\0' && strspn(word, plain) == strlen(word) &&
	       (word[name] == '\0' || !isalpha((unsigned char)*word)) && *word != '_' && *word != '=';
}

void words_quote(struct strbuf *text, const char *word)
{
	if (is_plain_word(word)) {
		strbuf_puts(text, word);
		return;
	}
	strbuf_putc(text, '\'');
	for (; *word != '\0'; word++) {
		if (*word == '\'')
			strbuf_puts(text, "'\\''");
		else
			strbuf_putc(text, *word);
	}
	strbuf_putc(text, '\'');
}

char *words_join(char *const *words)
{
	struct strbuf text = {0};

	for (; words && *words; words++) {
		if (text.length > 0)
			strbuf_putc(&text, ' ');
		words_quote(&text, *words);
	}
	return strbuf_take(&text);
}
