/* encode.h: rows as the bytes that format.h describes. Not thread-safe. */
#ifndef DBPROF_STORE_SPOOL_ENCODE_H
#define DBPROF_STORE_SPOOL_ENCODE_H

#include "store/store.h"

struct spool_encoder;

/* NULL without memory. */
struct spool_encoder *spool_encoder_new(void);
void spool_encoder_free(struct spool_encoder *encoder); /* NULL is allowed */

/* Checks that the row fits the table, and finds out which cells must be written. *most: how many bytes spool_encode()
 * may need for it. */
int spool_encode_plan(
	struct spool_encoder *encoder, enum table_id table, const struct value *row, size_t *most, struct error *err);

/* Writes the row that was planned last to `out`. It must become part of the spool, because later rows refer to it.
 * Returns how many bytes were written. */
size_t spool_encode(struct spool_encoder *encoder, enum table_id table, const struct value *row, unsigned char *out);

#endif
