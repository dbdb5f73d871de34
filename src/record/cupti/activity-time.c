/* activity-time.c: CUPTI's clock and the time of day. See activity.h. */
#include "record/cupti/activity-private.h"

#include <stdlib.h>

#include "record/cupti/flush.h"
#include "util/clock.h"

/* If CUPTI's clock is nearer to CLOCK_REALTIME than this, time stamps stay as they are. */
static const int64_t CLOCKS_AGREE_NS = 1000000;

int64_t activity_now(const struct activity *a)
{
	uint64_t now;

	return !flush_hangs() && a->cupti.cuptiGetTimestamp(&now) == CUPTI_SUCCESS ? (int64_t)now + a->offset
										   : clock_realtime();
}

/* Takes the try that took the shortest time. */
int64_t activity_clock_offset(const struct activity *a)
{
	int64_t best = INT64_MAX, offset = 0;

	for (int i = 0; i < 10; i++) {
		int64_t before = clock_realtime(), after;
		uint64_t stamp;

		if (a->cupti.cuptiGetTimestamp(&stamp) != CUPTI_SUCCESS)
			return 0;
		after = clock_realtime();
		if (after >= before && after - before < best) {
			best = after - before;
			offset = before + best / 2 - (int64_t)stamp;
		}
	}
	return llabs(offset) <= CLOCKS_AGREE_NS ? 0 : offset;
}
