/* anchor.h: ids of a page's elements, and names of files, made from names that may be anybody's. */
#ifndef DBPROF_TREE_ANCHOR_H
#define DBPROF_TREE_ANCHOR_H

#include <stddef.h>

enum { ANCHOR_SIZE = 96 }; /* bytes that hold any anchor */

/* Writes what stands for `name` in ids and file names, into ANCHOR_SIZE bytes, and returns it. A short name of letters,
 * digits, '-', '_' and '/' that begins with a letter is its own, unless the page has ids that begin so ("def-", "r2-"
 * ...). Of any other it is "x-", what of its beginning an id may hold, and a hash of all of it: two names that differ
 * keep different anchors. */
char *anchor_of(const char *name, char *anchor);

#endif
