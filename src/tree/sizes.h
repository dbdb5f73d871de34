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

/* Of {"kernel", "program"} of a contrast of programs: that of the verdict that decides, or "unclear" where the whole
 * processes doubt it. NULL where neither decides. */
const struct size *size_of_verdicts(const json_t *family, const json_t *verdicts);

/* The sign of the verdict on a kernel of which it is advised. */
const char *advice_sign(const json_t *kernel);

/* The size that is called so. */
const struct size *size_called(const char *id);

#endif
