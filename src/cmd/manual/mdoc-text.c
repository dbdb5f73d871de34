/* mdoc-text.c: see mdoc-text.h. */
#include "config.h"

#include "cmd/manual/mdoc-text.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"

enum { MDOC_WIDTH = 78 };

/* A word, or what stands in backquotes, and the punctuation around it: macros take that as arguments of their own. */
struct mdoc_token {
	const char *macro; /* NULL for a plain word, which keeps its punctuation */
	const char *text, *closing;
	size_t length, nclosing;
	bool opening; /* a parenthesis before it */
};

/* ---- reading ---- */

static size_t closing_length(const char *word, size_t length)
{
	size_t n = 0;

	while (n < length && strchr(".,;:?!)", word[length - 1 - n]))
		n++;
	return n;
}

static bool is_placeholder(const char *word, size_t length, const char *names)
{
	const char *at = names, *end = names + strlen(names);

	for (size_t i = 0; i < length; i++)
		if (!isupper((unsigned char)word[i]))
			return false;
	while (length > 0 && (at = memmem(at, (size_t)(end - at), word, length))) {
		bool begins = at == names || !isalpha((unsigned char)at[-1]);

		at += length;
		if (begins && !isalpha((unsigned char)*at))
			return true;
	}
	return false;
}

/* What stands in backquotes, of which `text` is the first. */
static struct mdoc_token code_token(const char *text)
{
	struct mdoc_token token = {.macro = "Ql", .text = text + 1, .length = strcspn(text + 1, "`")};

	token.closing = token.text + token.length + 1;
	token.nclosing = strcspn(token.closing, " \n");
	return token;
}

/* An option, a placeholder or a plain word. */
static struct mdoc_token word_token(const char *text, const char *names)
{
	size_t length = strcspn(text, " \n"), closing = closing_length(text, length);
	struct mdoc_token token = {.text = text, .length = length - closing, .closing = text + length - closing};

	token.nclosing = closing;
	if (text[0] == '-' && (text[1] == '-' || isalpha((unsigned char)text[1]))) {
		token.macro = "Fl";
		token.text++;
		token.length--;
	} else if (is_placeholder(text, token.length, names)) {
		token.macro = "Ar";
	} else {
		token.length = length;
		token.closing = text + length;
		token.nclosing = 0;
	}
	return token;
}

static struct mdoc_token next_token(const char **text, const char *names)
{
	bool opening = (*text)[0] == '(' && (*text)[1] == '`';
	struct mdoc_token token = (*text)[opening] == '`' ? code_token(*text + opening) : word_token(*text, names);

	token.opening = opening;
	*text = token.closing + token.nclosing;
	*text += strspn(*text, " \n");
	return token;
}

/* ---- writing ---- */

static void mdoc_escaped(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (text[i] == '\\')
			fputs("\\e", stdout);
		else if (text[i] == '"')
			fputs("\\(dq", stdout);
		else if (text[i] == '-' && (i == 0 || text[i - 1] == ' ' || text[i - 1] == '-'))
			fputs("\\-", stdout);
		else
			putchar(text[i]);
	}
}

void mdoc_placeholder(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (text[i] == '=')
			fputs(" Ns = Ns Ar ", stdout);
		else
			putchar(tolower((unsigned char)text[i]));
	}
}

static void mdoc_macro(const struct mdoc_token *token)
{
	printf(".%s %s", token->macro, token->opening ? "( " : "");
	if (strcmp(token->macro, "Ar") == 0)
		mdoc_placeholder(token->text, token->length);
	else if (strcmp(token->macro, "Fl") == 0)
		printf("%.*s", (int)token->length, token->text);
	else
		mdoc_escaped(token->text, token->length);
	for (size_t i = 0; i < token->nclosing; i++)
		printf(" %c", token->closing[i]);
	putchar('\n');
}

static bool ends_sentence(const struct mdoc_token *token)
{
	char last = token->closing[token->nclosing > 0 ? (long)token->nclosing - 1 : -1];

	return last == '.' || last == '?' || last == '!';
}

/* Puts the token on the line that has `column` letters; returns how many it has then. */
static size_t mdoc_put_token(const struct mdoc_token *token, size_t column)
{
	if (column > 0 && (token->macro || column + 1 + token->length > MDOC_WIDTH)) {
		putchar('\n');
		column = 0;
	}
	if (token->macro) {
		mdoc_macro(token);
		return 0;
	}
	if (column > 0)
		putchar(' ');
	else if (*token->text == '.' || *token->text == '\'')
		fputs("\\&", stdout);
	mdoc_escaped(token->text, token->length);
	if (ends_sentence(token)) {
		putchar('\n');
		return 0;
	}
	return column + 1 + token->length;
}

void mdoc_sentences(const char *text, const char *names)
{
	size_t length = strlen(text), column = 0;
	char *whole = xasprintf(
		"%c%s%s", toupper((unsigned char)*text), text + 1, strchr(".?!", text[length - 1]) ? "" : ".");

	for (const char *at = whole; *at != '\0';) {
		struct mdoc_token token = next_token(&at, names);

		column = mdoc_put_token(&token, column);
	}
	if (column > 0)
		putchar('\n');
	free(whole);
}
