/* memo.h: the texts that a thread has met lately, with their numbers, so that it seldom waits for the others. */
#ifndef DBPROF_STORE_SCAN_MEMO_H
#define DBPROF_STORE_SCAN_MEMO_H

#include <stddef.h>
#include <stdint.h>

#include "store/store.h"

struct memo;
struct texts;

/* `texts` must outlive it. */
struct memo *memo_new(struct texts *texts);
void memo_free(struct memo *memo); /* NULL is allowed */

/* The number of the text of an id in StringIds; 0 if it has none. */
uint32_t memo_name(struct memo *memo, const struct store *store, int64_t id);

/* The number of a text as cursor_text() gives it. */
uint32_t memo_text(struct memo *memo, const char *text);

/* The same of `size` bytes as a row of that table keeps them. */
uint32_t memo_kept_text(struct memo *memo, enum table_id table, const char *bytes, size_t size);

#endif
