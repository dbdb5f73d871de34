/* deflate.h: compresses bytes in the format of zlib (RFC 1950, RFC 1951). */
#ifndef DBPROF_EXPORT_TRACE_DEFLATE_H
#define DBPROF_EXPORT_TRACE_DEFLATE_H

#include "util/strbuf.h"

/* Appends `size` bytes to `out`, compressed: a whole stream, at most an eighth and 16 bytes longer than they are. */
void deflate_add(struct strbuf *out, const char *bytes, size_t size);

#endif
