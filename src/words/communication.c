/* communication.c: see communication.h. */
#include "words/communication.h"

#include <stdio.h>

#include "tree/json.h"
#include "tree/tree.h"
#include "util/format.h"

enum { COMMUNICATION_SIZE = 1024 };

static const json_t *gains_most(const json_t *gpus)
{
	const json_t *most = json_array_get(gpus, 0);

	for (size_t i = 1; i < json_array_size(gpus); i++) {
		const json_t *gpu = json_array_get(gpus, i);

		if (tree_real(gpu, "gain_high_ns") > tree_real(most, "gain_high_ns"))
			most = gpu;
	}
	return most;
}

void words_communication(json_t *communication)
{
	const json_t *gpu = gains_most(json_object_get(communication, "gpus"));
	char busy[FORMAT_SIZE], share[FORMAT_SIZE], gain[FORMAT_SIZE], text[COMMUNICATION_SIZE];
	int n;

	if (!gpu)
		return;
	format_time_ns(busy, sizeof(busy), tree_real(gpu, "busy_ns"));
	format_percent(share, sizeof(share), tree_real(gpu, "beside_ns") / tree_real(gpu, "busy_ns"));
	format_time_ns(gain, sizeof(gain), tree_real(gpu, "gain_high_ns"));
	n = snprintf(text, sizeof(text),
		"GPU %.0f communicates with other GPUs for %.40s, %.40s of it beside computation.",
		tree_real(gpu, "device"), busy, share);
	if (tree_real(gpu, "gain_high_ns") > 0)
		snprintf(text + n, sizeof(text) - (size_t)n, " Overlapping the rest would save at most %.40s.", gain);
	else if (tree_real(gpu, "alone_ns") > 0)
		snprintf(text + n, sizeof(text) - (size_t)n, " No computation is left that could run beside the rest.");
	put_json(communication, "text", text_json(text));
}
