/* decode.h: the bytes that format.h describes as rows. The bytes may be anything. */
#ifndef DBPROF_STORE_SPOOL_DECODE_H
#define DBPROF_STORE_SPOOL_DECODE_H

#include "store/spool/format.h"

struct spool_decoder;

struct spool_decoder *spool_decoder_new(void);
void spool_decoder_free(struct spool_decoder *decoder); /* NULL is allowed */

/* Takes a varint off the front of [*at, end). False if there is none. */
bool spool_take_varint(const unsigned char **at, const unsigned char *end, uint64_t *x);

/* Fills *record from the next body and its checksum. Texts in full stay in `body`. False if the body is damaged: then
 * no later row can be read either. The memory that it takes is a small multiple of the size of all bodies. */
bool spool_decode(struct spool_decoder *decoder, const unsigned char *body, size_t length, uint32_t checksum,
	struct spool_record *record);

#endif
