/* pays-words.c: why copies do not overlap and what to do about it, in sentences. */
#include <stdio.h>
#include <string.h>

#include "model/trace/pays-parts.h"
#include "util/clip.h"

const char *reason_why(enum pays_reason reason)
{
	static const char *const why[PAYS_REASONS] = {
		[PAYS_MANAGED] =
			"The data is in managed memory, which the driver moves when it is touched: what touches "
			"it waits.",
		[PAYS_PAGEABLE] =
			"The host's memory is pageable: the driver stages it through a buffer of its own, and "
			"the call does not run ahead of the copy.",
		[PAYS_DEFAULT_STREAM] =
			"The copy, the kernel or work between them is in the default stream, which waits "
			"for all blocking streams and holds them up.",
		[PAYS_SYNCHRONOUS] =
			"The host waits for the GPU between the copy and the kernel, so the second is asked "
			"for only when the first is done.",
		[PAYS_SAME_STREAM] = "Copy and kernel are in one stream, which does one thing after the other.",
		[PAYS_DEPENDENCY] = "An event makes one stream wait for the other.",
		[PAYS_HOST] = "The host asked for the later of the two only after the earlier one had ended.",
		[PAYS_ALONE] = "There is no kernel before a copy in, or after a copy out, that it could run beside.",
		[PAYS_NONE] =
			"Nothing was found in the way: the copy engine was busy, or the kernel beside the copy was "
			"shorter.",
	};

	return why[reason];
}

static const char *reason_advice(enum pays_reason reason)
{
	static const char *const advice[PAYS_REASONS] = {
		[PAYS_MANAGED] = "Prefetch the next round's data in a second stream while this one computes "
				 "(cudaMemPrefetchAsync), or copy it from pinned memory.",
		[PAYS_PAGEABLE] =
			"Pin the host's memory (cudaHostAlloc or cudaHostRegister; in PyTorch pin_memory() and "
			"non_blocking=True).",
		[PAYS_DEFAULT_STREAM] = "Use two streams of your own by turns, created with cudaStreamNonBlocking (in "
					"PyTorch torch.cuda.Stream), each with its own buffers.",
		[PAYS_SYNCHRONOUS] = "Wait for a round only when its buffers are needed again, one round later.",
		[PAYS_SAME_STREAM] = "Put the rounds into two streams by turns, each with its own buffers.",
		[PAYS_DEPENDENCY] = "Let each stream wait only for the work that used the same buffers, not for the "
				    "latest.",
		[PAYS_HOST] = "Ask for the next round's copy before the host turns to the results of this one.",
		[PAYS_ALONE] = "Nothing: the first copy in and the last copy out of a pipeline cannot be hidden.",
		[PAYS_NONE] = "Nothing: it is as good as double-buffered.",
	};

	return advice[reason];
}

static void pays_words_tell(struct advice *advice, unsigned bit, const char *text)
{
	if (advice->told & bit)
		return;
	advice->told |= bit;
	clip_append(advice->text, sizeof(advice->text), "%s%s", *advice->text ? " " : "", text);
}

void advice_add(struct advice *advice, unsigned reasons, bool blocking)
{
	for (int r = 0; r < PAYS_REASONS; r++) {
		if (!(reasons & 1U << r))
			continue;
		if (r == PAYS_SYNCHRONOUS && blocking)
			pays_words_tell(advice, 1U << PAYS_REASONS, "Copy with cudaMemcpyAsync.");
		pays_words_tell(advice, 1U << r, reason_advice((enum pays_reason)r));
	}
}
