/* encode.h: rows as the bytes that format.h describes. Not thread-safe. */
#ifndef DBPROF_STORE_SPOOL_ENCODE_H
#define DBPROF_STORE_SPOOL_ENCODE_H

#include "store/store.h"

struct spool_encoder;

/* NULL without memory. */
struct spool_encoder *spool_encoder_new(void);
void spool_encoder_free(struct spool_encoder *encoder); /* NULL is allowed */

/* Checks that the row can go into the table and finds out what of it must be written. Fills *most, the bytes that
 * spool_encode() may use for it. */
int spool_encode_plan(
	struct spool_encoder *encoder, enum table_id table, const struct value *row, size_t *most, struct error *err);

/* Writes the row that was planned last to `out`, which must then become part of the spool: later rows refer to it.
 * Returns the bytes written. */
size_t spool_encode(struct spool_encoder *encoder, enum table_id table, const struct value *row, unsigned char *out);

#endif
