/* words.h: a command as one text, and as its words: a shell's quoting, without a shell. */
#ifndef DBPROF_UTIL_TEXT_WORDS_H
#define DBPROF_UTIL_TEXT_WORDS_H

#include "util/error.h"
#include "util/strbuf.h"

/* Splits at blanks, tabs and line ends. '...' keeps all, "..." all but \ before " \ $ and `, and a backslash keeps the
 * next character. Returns a list that ends with NULL, for words_free(). NULL with `err` for a command without words, an
 * open quote, and what only a shell could do: | & ; < > ( ) $ ` * ? and, where a word begins, ~ # and NAME=. `err` then
 * names what has a shell read the command: `shell`, such as "--shell". */
char **words_split(const char *command, const char *shell, struct error *err);

void words_free(char **words);

/* Adds the word so that a shell reads it as one word. */
void words_quote(struct strbuf *text, const char *word);

/* The words of a list that ends with NULL, quoted, with blanks between; for free(). */
char *words_join(char *const *words);

#endif
