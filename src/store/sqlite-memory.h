/* sqlite-memory.h: where SQLite gets its memory. */
#ifndef DBPROF_STORE_SQLITE_MEMORY_H
#define DBPROF_STORE_SQLITE_MEMORY_H

/* Makes SQLite allocate by util/alloc.h, so that none of its functions fails for want of memory. To be called before
 * any other of them; it does nothing the next time. */
void sqlite_use_xmalloc(void);

#endif
