/* reader.h: everything that dbprof does with a recording or an export, but for drawing its figures. */
#ifndef TESTS_FUZZ_READER_H
#define TESTS_FUZZ_READER_H

#include <stddef.h>

/* Model, figures' data, page, trace, two tables of CSV (whose turn it is) and a comparison of the file with itself.
 * Dies of errors that are not one line, and of results that their readers could not read. */
void fuzz_read(const char *path, size_t turn);

#endif
