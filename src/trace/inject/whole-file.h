/* whole-file.h: files of ours that another process reads: under their name they are whole, or they are not there. */
#ifndef DBPROF_TRACE_INJECT_WHOLE_FILE_H
#define DBPROF_TRACE_INJECT_WHOLE_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* Until it is whole, a file's name ends so. */
#define WHOLE_FILE_PART ".part"

/* Writes two pieces, one behind the other, into a new file with that name; an older one is replaced. False, and nothing
 * new is there, if that fails. errno may change. */
bool whole_file_write(const char *path, const void *head, size_t head_size, const void *body, size_t body_size);

#endif
