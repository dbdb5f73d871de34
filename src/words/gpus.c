/* gpus.c: see gpus.h. */
#include "words/gpus.h"

#include <math.h>
#include <string.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"

enum { GPUS_NAMED = 3, TEXT_SIZE = 1024 };

static const char *time_words(const char *by)
{
	if (strcmp(by, "idle_ns") == 0)
		return "idle time";
	if (strcmp(by, "busy_ns") == 0)
		return "busy time";
	return strcmp(by, "overlap_ns") == 0 ? "overlap of copies and kernels" : "span";
}

static double unusual_score_of(const json_t *gpu)
{
	return tree_has(gpu, "unusual") ? tree_real(json_object_get(gpu, "unusual"), "score") : 0;
}

/* The most unusual GPU after `last`, or of all if that is NULL; NULL if there is none. */
static const json_t *next_gpu(const json_t *gpus, const json_t *last)
{
	const json_t *best = NULL;
	bool after = false;

	for (size_t i = 0; i < json_array_size(gpus); i++) {
		const json_t *gpu = json_array_get(gpus, i);
		double score = unusual_score_of(gpu);
		bool later = !last || score < unusual_score_of(last) || (after && score == unusual_score_of(last));

		after = after || gpu == last;
		if (score > 0 && later && gpu != last && (!best || score > unusual_score_of(best)))
			best = gpu;
	}
	return best;
}

static void name_gpu(const json_t *gpu, char *text, size_t size)
{
	const json_t *unusual = json_object_get(gpu, "unusual");
	char value[FORMAT_SIZE], median[FORMAT_SIZE];

	format_time_ns(value, sizeof(value), tree_real(unusual, "value_ns"));
	format_time_ns(median, sizeof(median), tree_real(unusual, "median_ns"));
	clip_append(text, size, " GPU %.0f: its %s is %s, the median is %s.", tree_real(gpu, "device"),
		time_words(tree_text(unusual, "by")), value, median);
}

void words_gpus(json_t *recording)
{
	const json_t *gpus = json_object_get(recording, "gpus"), *gpu = NULL;
	json_t *program = json_object_get(recording, "program");
	char text[TEXT_SIZE];
	size_t n = 0, all = json_array_size(gpus);

	for (size_t i = 0; i < all; i++)
		n += unusual_score_of(json_array_get(gpus, i)) > 0;
	if (n == 0 || !json_is_object(program))
		return;
	clip_print(text, sizeof(text), "%zu of %zu GPUs differ%s from the others.", n, all, n == 1 ? "s" : "");
	for (size_t i = 0; i < n && i < GPUS_NAMED; i++) {
		gpu = next_gpu(gpus, gpu);
		name_gpu(gpu, text, sizeof(text));
	}
	if (n > GPUS_NAMED)
		clip_append(text, sizeof(text), " The table of GPUs marks all of them.");
	put_json(program, "unusual_gpus", text_json(text));
}
