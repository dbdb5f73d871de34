/* side-gpus.c: see side-gpus.h. */
#include "words/contrast/side-gpus.h"

#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "util/clip.h"
#include "words/contrast/side-words.h"

enum { GPUS_TEXT_SIZE = 640, GPUS_OF_SIDE_SIZE = 160, GPUS_TOLD = 2 };

/* "GPU 1", "GPU 0 and GPU 1"; with names "GPU 1 (NVIDIA A100)". */
static void gpus_of_side(const json_t *side, bool with_name, char *text, size_t size)
{
	const json_t *gpus = json_object_get(side, "gpus");
	size_t n = json_array_size(gpus);

	*text = '\0';
	for (size_t i = 0; i < n && i < GPUS_TOLD; i++) {
		const json_t *gpu = json_array_get(gpus, i);

		clip_append(text, size, "%sGPU %.0f", i ? " and " : "", tree_real(gpu, "device"));
		if (with_name && tree_has(gpu, "name"))
			clip_append(text, size, " (%.60s)", tree_text(gpu, "name"));
	}
	if (n > GPUS_TOLD)
		clip_append(text, size, " and others");
}

static const json_t *first_against(const json_t *family, const char *word)
{
	return tree_find(json_object_get(family, "sides"), "gpus_against", word);
}

static void gpus_sentence(const json_t *family, const json_t *other, bool kinds, char *text, size_t size)
{
	const json_t *single = side_named(family, tree_text(family, "single"));
	char of_single[GPUS_OF_SIDE_SIZE], of_other[GPUS_OF_SIDE_SIZE];

	gpus_of_side(single, kinds, of_single, sizeof(of_single));
	gpus_of_side(other, kinds, of_other, sizeof(of_other));
	if (other == single)
		clip_print(
			text, size, "`%s` ran on different GPUs from run to run: %s.", side_called(single), of_single);
	else
		clip_print(text, size, "`%s` ran on %s, `%s` on %s.", side_called(single), of_single,
			side_called(other), of_other);
	clip_append(text, size,
		kinds ? " These are different kinds of GPU: the verdict is on GPU and program together, and their "
			"counters and cycles cannot be compared."
		      : " Cards of one kind differ, too: the verdict is on card and program together.");
}

void contrast_gpus_words(json_t *family, char *text, size_t size)
{
	const json_t *kinds = first_against(family, "kinds"), *other = kinds ? kinds : first_against(family, "cards");
	char sentence[GPUS_TEXT_SIZE] = "";

	if (other)
		gpus_sentence(family, other, kinds != NULL, sentence, sizeof(sentence));
	if (*sentence)
		clip_append(text, size, "%s%s", *text ? " " : "", sentence);
	put_json(family, "gpus_text", text_json(*sentence ? sentence : NULL));
}
