/* protobuf.h: the wire format of protocol buffers: fields of a message, one after the other. */
#ifndef DBPROF_EXPORT_TRACE_PROTOBUF_H
#define DBPROF_EXPORT_TRACE_PROTOBUF_H

#include <stdint.h>

#include "util/strbuf.h"

/* Integers of all kinds that are not zigzag; a negative one has 64 bits, as the format wants it. */
void protobuf_int(struct strbuf *message, int field, uint64_t number);
void protobuf_fixed64(struct strbuf *message, int field, uint64_t number);
void protobuf_double(struct strbuf *message, int field, double number);
void protobuf_text(struct strbuf *message, int field, const char *text);

/* A message inside another. */
void protobuf_message(struct strbuf *message, int field, const struct strbuf *inner);

#endif
