/* stand-in-records.c: the activity records of the stand-in's CUPTI: every one comes exactly once, whatever
 * STAND_IN does to the buffers, and what is lost is counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <cupti.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "fixtures/stand-in-child.h"
#include "stand-in/work.h"

enum { THREADS = 4, LAUNCHES = 500, ALL = THREADS * LAUNCHES, BUFFER = 4096, MAX_ID = 2 * ALL };

/* What the client was given. */
static struct {
	pthread_mutex_t lock;
	size_t size;                                  /* of a buffer; 0: there is none to be had */
	int buffers, single, filled, turned;          /* with one record; to the last byte; with an older one behind */
	int untimed, backward;                        /* records */
	unsigned char kernels[MAX_ID], calls[MAX_ID]; /* by correlation id: how often */
	int nkernels, ncalls;
	pthread_t thread; /* in which the last buffer came */
} got = {.lock = PTHREAD_MUTEX_INITIALIZER, .size = BUFFER};

/* ---- a client ---- */

static void CUPTIAPI request(uint8_t **buffer, size_t *size, size_t *max)
{
	*buffer = got.size == 0 ? NULL : aligned_alloc(8, got.size);
	*size = got.size;
	*max = 0;
}

static void note_times(uint64_t start, uint64_t end)
{
	got.untimed += start == 0 && end == 0;
	got.backward += end < start;
}

static void take(const CUpti_Activity *record)
{
	const CUpti_ActivityKernel9 *kernel = (const void *)record;
	const CUpti_ActivityAPI *call = (const void *)record;

	switch ((int)record->kind) {
	case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
		CHECK(kernel->correlationId < MAX_ID && strcmp(kernel->name, "_Z1kv") == 0);
		got.kernels[kernel->correlationId]++;
		got.nkernels++;
		note_times(kernel->start, kernel->end);
		break;
	case CUPTI_ACTIVITY_KIND_RUNTIME:
		CHECK(call->correlationId < MAX_ID);
		CHECK(call->cbid == CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000);
		got.calls[call->correlationId]++;
		got.ncalls++;
		note_times(call->start, call->end);
		break;
	default:
		CHECK(!"a kind that was not asked for");
	}
}

static uint32_t number_of(const CUpti_Activity *record)
{
	return record->kind == CUPTI_ACTIVITY_KIND_RUNTIME ? ((const CUpti_ActivityAPI *)record)->correlationId
							   : ((const CUpti_ActivityKernel9 *)record)->correlationId;
}

static void CUPTIAPI complete(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid)
{
	CUpti_Activity *record = NULL;
	uint32_t last = 0;
	int n = 0;

	(void)context, (void)stream;
	pthread_mutex_lock(&got.lock);
	while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
		take(record);
		got.turned += number_of(record) < last;
		last = number_of(record);
		n++;
	}
	got.buffers++;
	got.single += n == 1;
	got.filled += valid == size;
	got.thread = pthread_self();
	pthread_mutex_unlock(&got.lock);
	free(buffer);
}

static void start(void)
{
	CHECK(cuptiActivityRegisterCallbacks(request, complete) == CUPTI_SUCCESS);
	CHECK(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) == CUPTI_SUCCESS);
	CHECK(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_RUNTIME) == CUPTI_SUCCESS);
}

static void flush(bool force)
{
	CHECK(cuptiActivityFlushAll(force ? CUPTI_ACTIVITY_FLAG_FLUSH_FORCED : 0) == CUPTI_SUCCESS);
}

static size_t dropped(void)
{
	size_t n = SIZE_MAX;

	CHECK(cuptiActivityGetNumDroppedRecords(NULL, 0, &n) == CUPTI_SUCCESS);
	return n;
}

static void *launch(void *unused)
{
	for (int i = 0; i < LAUNCHES; i++)
		stand_in_launch("_Z1kv", true);
	return unused;
}

static void launch_in_threads(void)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		CHECK(pthread_create(&threads[i], NULL, launch, NULL) == 0);
	for (int i = 0; i < THREADS; i++)
		CHECK(pthread_join(threads[i], NULL) == 0);
}

/* ---- every record exactly once ---- */

static void check_once(void)
{
	CHECK(got.nkernels == ALL && got.ncalls == ALL);
	for (int i = 1; i <= ALL; i++)
		CHECK(got.kernels[i] == 1 && got.calls[i] == 1);
	CHECK(dropped() == 0);
}

/* Full ones come by themselves. */
static void wait_for_buffers(int wanted)
{
	const struct timespec nap = {.tv_nsec = 1000000};

	for (int n = 0; n < wanted; nanosleep(&nap, NULL)) {
		pthread_mutex_lock(&got.lock);
		n = got.buffers;
		pthread_mutex_unlock(&got.lock);
	}
}

static void plain_body(void)
{
	start();
	launch_in_threads();
	wait_for_buffers(ALL * (int)sizeof(CUpti_ActivityKernel9) / BUFFER);
	flush(false);
	check_once();
	CHECK(got.filled == 0 && got.untimed == 0 && got.backward == 0);
	CHECK(!pthread_equal(got.thread, pthread_self()));
	flush(true);
	check_once();
}

static void late_body(void)
{
	start();
	launch_in_threads();
	flush(false);
	CHECK(got.buffers == 0);
	flush(true);
	check_once();
}

static void pieces_body(void)
{
	start();
	launch_in_threads();
	flush(false);
	check_once();
	CHECK(got.buffers == 2 * ALL && got.single == 2 * ALL);
}

static void unordered_body(void)
{
	start();
	launch(NULL);
	flush(false);
	/* All but the first of each buffer come after one that was launched later. */
	CHECK(got.nkernels == LAUNCHES && got.turned == 2 * LAUNCHES - got.buffers);
	for (int i = 1; i <= LAUNCHES; i++)
		CHECK(got.kernels[i] == 1 && got.calls[i] == 1);
}

static void full_body(void)
{
	start();
	launch_in_threads();
	flush(false);
	check_once();
	CHECK(got.filled > 100 && got.filled >= got.buffers - THREADS - 1);
}

static void all_at_once_body(void)
{
	start();
	launch_in_threads();
	flush(false);
	CHECK(got.buffers == 0);
	flush(true);
	check_once();
}

static void every_record_comes_exactly_once(void **state)
{
	(void)state;
	assert_int_equal(status_with("devices=1", plain_body), 0);
	assert_int_equal(status_with("late", late_body), 0);
	assert_int_equal(status_with("pieces", pieces_body), 0);
	assert_int_equal(status_with("unordered", unordered_body), 0);
	assert_int_equal(status_with("full", full_body), 0);
	assert_int_equal(status_with("late,unordered,full", all_at_once_body), 0);
	assert_int_equal(status_with("late,unordered,pieces", all_at_once_body), 0);
}

/* ---- what is lost ---- */

static void drop_body(void)
{
	int missing = 0;

	start();
	launch_in_threads();
	flush(true);
	for (int i = 1; i <= ALL; i++) {
		CHECK(got.kernels[i] <= 1 && got.calls[i] == 1);
		missing += got.kernels[i] == 0;
	}
	CHECK(missing == 7 && dropped() == 7 && dropped() == 0);
}

static void no_buffer_body(void)
{
	got.size = 0;
	start();
	launch(NULL);
	flush(true);
	CHECK(got.buffers == 0 && dropped() == 2 * LAUNCHES);
	got.size = BUFFER;
	stand_in_launch("_Z1kv", true);
	flush(true);
	CHECK(got.nkernels == 1 && got.ncalls == 1 && dropped() == 0);
}

static void lost_records_are_counted(void **state)
{
	(void)state;
	assert_int_equal(status_with("drop=7", drop_body), 0);
	assert_int_equal(status_with("drop=7,pieces,unordered", drop_body), 0);
	assert_int_equal(status_with("devices=1", no_buffer_body), 0);
}

/* ---- times ---- */

static void zero_body(void)
{
	start();
	launch(NULL);
	flush(true);
	CHECK(got.untimed == 2 * LAUNCHES / 3 && got.backward == 0);
}

static void backward_body(void)
{
	start();
	launch(NULL);
	flush(true);
	CHECK(got.backward == 2 * LAUNCHES / 3 && got.untimed == 0);
}

/* A clock that stands still; what passes between two readings of the other clock is added or taken off. */
static const uint64_t stands_at = UINT64_C(1000000000000), minute = UINT64_C(60000000000);

static uint64_t CUPTIAPI clock_of_client(void)
{
	return stands_at;
}

static void clock_body(void)
{
	uint64_t now;

	CHECK(cuptiActivityRegisterTimestampCallback(clock_of_client) == CUPTI_SUCCESS);
	CHECK(cuptiGetTimestamp(&now) == CUPTI_SUCCESS && now >= stands_at - minute && now <= stands_at + minute);
}

static void every_third_record_has_spoilt_times(void **state)
{
	(void)state;
	assert_int_equal(status_with("zero_times", zero_body), 0);
	assert_int_equal(status_with("backward", backward_body), 0);
	assert_int_equal(status_with("devices=1", clock_body), 0);
}

/* ---- flushes ---- */

static void unended_body(void)
{
	start();
	stand_in_launch("_Z1kv", true);
	stand_in_launch("_Z1kv", false);
	flush(false);
	CHECK(got.nkernels == 0 && got.ncalls == 2);
	flush(true);
	CHECK(got.nkernels == 2 && got.untimed == 1 && dropped() == 0);
}

static void finalize_body(void)
{
	start();
	launch(NULL);
	CHECK(cuptiFinalize() == CUPTI_SUCCESS);
	CHECK(got.nkernels == LAUNCHES && got.ncalls == LAUNCHES);
	stand_in_launch("_Z1kv", true);
	flush(true);
	CHECK(got.nkernels == LAUNCHES);
	start();
	stand_in_launch("_Z1kv", true);
	flush(true);
	CHECK(got.nkernels == LAUNCHES + 1);
}

enum { HANGS = 77, PAUSES = 3 };

/* Stands in for the C library's, which returns after a signal: whoever waits again each time waits for ever. The
 * stand-in must find it. */
__attribute__((visibility("default"))) int pause(void)
{
	static int pauses;

	if (++pauses == PAUSES)
		_exit(HANGS);
	return -1;
}

static void hang_body(void)
{
	start();
	flush(true);
}

static void flushes_are_forced_end_and_hang(void **state)
{
	int status;

	(void)state;
	assert_int_equal(status_with("devices=1", unended_body), 0);
	assert_int_equal(status_with("devices=1", finalize_body), 0);
	status = status_with("hang_flush", hang_body);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == HANGS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_record_comes_exactly_once),
		cmocka_unit_test(lost_records_are_counted),
		cmocka_unit_test(every_third_record_has_spoilt_times),
		cmocka_unit_test(flushes_are_forced_end_and_hang),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
