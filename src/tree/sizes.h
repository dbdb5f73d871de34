/* sizes.h: how a verdict with its size is called, and the sign that stands for it wherever it is shown. */
#ifndef DBPROF_TREE_SIZES_H
#define DBPROF_TREE_SIZES_H

#include <jansson.h>

struct size {
	const char *id;   /* as in the tree: "slightly-faster" */
	const char *word; /* "slightly faster" */
	const char *sign; /* "△" */
};

/* That of a contrast, a comparison or a point of a sweep: its `size`, or its `verdict` where the tree has no size.
 * Never NULL: what was not measured has a size of its own. */
const struct size *size_of(const json_t *contrast);

/* The size that is called so. */
const struct size *size_called(const char *id);

#endif
