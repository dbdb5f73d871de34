/* sizes.c: see sizes.h. */
#include "tree/sizes.h"

#include <string.h>

#include "tree/tree.h"

static const struct size sizes[] = {
	{"faster", "faster", "▲"},
	{"slightly-faster", "slightly faster", "△"},
	{"same", "same", "="},
	{"slightly-slower", "slightly slower", "▽"},
	{"slower", "slower", "▼"},
	{"unclear", "unclear", "?"},
	{"nothing", "nothing to overlap", "·"},
	{"none", "not measured", "–"},
};
enum { SIZES = sizeof(sizes) / sizeof(sizes[0]) };

const struct size *size_called(const char *id)
{
	for (size_t i = 0; i < SIZES; i++)
		if (strcmp(sizes[i].id, id) == 0)
			return &sizes[i];
	return &sizes[SIZES - 1];
}

const struct size *size_of(const json_t *contrast)
{
	return size_called(tree_text(contrast, tree_has(contrast, "size") ? "size" : "verdict"));
}

const struct size *size_of_verdicts(const json_t *family, const json_t *verdicts)
{
	const json_t *decides = tree_deciding_verdict(family, verdicts);

	if (tree_process_doubts(family, verdicts))
		return size_called("unclear");
	return tree_has(decides, "size") ? size_of(decides) : NULL;
}

const char *advice_sign(const json_t *kernel)
{
	const char *verdict = tree_text(kernel, "verdict");

	if (strcmp(verdict, "pays") == 0)
		return size_called("faster")->sign;
	return size_called(strcmp(verdict, "does-not") == 0 ? "same" : "unclear")->sign;
}
