/* inject.c: the library inside a program whose kernels are counted: CUPTI's callbacks, and the gate that keeps other
 * threads from launching while a launch is counted. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <dlfcn.h>

#include "contrast/count/counting.h"
#include "contrast/count/inject.h"
#include "contrast/count/results.h"
#include "contrast/pm/sampler.h"

#define EXPORTED __attribute__((visibility("default")))

/* So long a thread waits at the gate. A kernel may wait for one that another thread launches: then no launch may wait
 * for ever. */
enum { GATE_S = 2 };

/* What the thread does at the moment. */
struct in_call {
	unsigned depth; /* calls of the driver inside each other */
	bool has_gate, is_counted;
};

static struct {
	pthread_rwlock_t gate; /* launches hold it shared; a counted one alone, and it goes before others */
	atomic_bool works;
	atomic_int captures; /* streams that are being captured */
	pid_t process;
	struct cupti cupti;
	CUptiResult (*subscribe)(CUpti_SubscriberHandle *subscriber, CUpti_CallbackFunc callback, void *user);
	CUptiResult (*enable)(
		uint32_t enable, CUpti_SubscriberHandle subscriber, CUpti_CallbackDomain domain, CUpti_CallbackId id);
} injected = {.gate = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP};

static __thread struct in_call this_call;

/* ---- the gate ---- */

static struct timespec gate_limit(void)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += GATE_S;
	return until;
}

static bool enter_gate(void)
{
	const struct timespec until = gate_limit();

	return pthread_rwlock_timedrdlock(&injected.gate, &until) == 0;
}

static bool shut_gate(void)
{
	const struct timespec until = gate_limit();

	return pthread_rwlock_timedwrlock(&injected.gate, &until) == 0;
}

static void leave_gate(void)
{
	(void)pthread_rwlock_unlock(&injected.gate);
}

/* ---- calls ---- */

/* The kernel or graph of the plan that is launched, or COUNTING_NONE. */
static size_t counted_launch(enum driver_call call, CUpti_CallbackId id, const CUpti_CallbackData *data,
	struct launch_key *key, uint64_t *number)
{
	if (call == DRIVER_LAUNCH && launch_key_of(id, data, key))
		return counting_kernel_of(key, number);
	if (call == DRIVER_GRAPH_LAUNCH)
		return counting_graph_of(graph_key_of(id, data, key) ? key : NULL, number);
	return COUNTING_NONE;
}

/* True if the launch is counted: then the gate is shut until its end. */
static bool begin_counted(enum driver_call call, CUpti_CallbackId id, const CUpti_CallbackData *data)
{
	struct launch_key key;
	uint64_t number;
	size_t kernel = counted_launch(call, id, data, &key, &number);
	bool counted = false;

	if (kernel == COUNTING_NONE || !counting_wants(kernel, number))
		return false;
	if (!shut_gate()) {
		counting_miss(kernel, "launches of other threads did not come to an end");
		return false;
	}
	if (atomic_load(&injected.captures) > 0)
		counting_miss(kernel, "a stream was being captured when it was launched");
	else
		counted = counting_begin(kernel, number, &key, data->context);
	if (!counted)
		leave_gate();
	return counted;
}

bool inject_alone(inject_act *act, void *user)
{
	int before = errno;

	if (!atomic_load(&injected.works) || this_call.depth > 0 || !shut_gate())
		return false;
	act(user, atomic_load(&injected.captures) > 0);
	leave_gate();
	errno = before;
	return true;
}

/* A launch may begin, or end, what is sampled over time. */
static void sample_at_launch(CUpti_CallbackId id, const CUpti_CallbackData *data)
{
	struct launch_key key;
	bool is_kernel;

	if (!data->context || !sampler_follows_launches())
		return;
	is_kernel = launch_key_of(id, data, &key);
	if (!sampler_wants_launch(is_kernel ? &key : NULL) || !shut_gate())
		return;
	sampler_launch(data->context, atomic_load(&injected.captures) > 0);
	leave_gate();
}

static void answer_question(const CUpti_CallbackData *data)
{
	if (!data->context || !counting_is_question() || !shut_gate())
		return;
	if (counting_is_question())
		counting_answer();
	leave_gate();
}

static void call_begins(enum driver_call call, CUpti_CallbackId id, const CUpti_CallbackData *data)
{
	struct in_call *mine = &this_call;

	if (mine->depth++ > 0)
		return;
	if (call == DRIVER_LAUNCH || call == DRIVER_GRAPH_LAUNCH)
		answer_question(data);
	if (call == DRIVER_LAUNCH || call == DRIVER_GRAPH_LAUNCH || call == DRIVER_OTHER_LAUNCH)
		sample_at_launch(id, data);
	mine->is_counted = begin_counted(call, id, data);
	mine->has_gate = mine->is_counted || enter_gate();
	if (call == DRIVER_CAPTURE_BEGINS)
		atomic_fetch_add(&injected.captures, 1);
}

/* Whether the call has ended a capture: also one that had become invalid. */
static bool ends_capture(CUresult result)
{
	return result == CUDA_SUCCESS || result == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED ||
	       result == CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
}

static void call_ends(enum driver_call call, const CUpti_CallbackData *data)
{
	CUresult result = data->functionReturnValue ? *(const CUresult *)data->functionReturnValue : CUDA_SUCCESS;
	struct in_call *mine = &this_call;

	if (mine->depth == 0 || --mine->depth > 0)
		return;
	if (mine->is_counted)
		counting_end(result == CUDA_SUCCESS);
	if (call == DRIVER_CAPTURE_BEGINS && result != CUDA_SUCCESS)
		atomic_fetch_sub(&injected.captures, 1);
	if (call == DRIVER_CAPTURE_ENDS && ends_capture(result))
		atomic_fetch_sub(&injected.captures, 1);
	if (mine->has_gate)
		leave_gate();
	*mine = (struct in_call){0};
}

/* Behind the last launch this is where a program without a range has its results. */
static void sample_after_wait(const CUpti_CallbackData *data)
{
	if (data->callbackSite != CUPTI_API_EXIT || this_call.depth > 0 || !sampler_wants_wait() || !shut_gate())
		return;
	sampler_waited(atomic_load(&injected.captures) > 0);
	leave_gate();
}

static void on_driver_call(CUpti_CallbackId id, const CUpti_CallbackData *data)
{
	size_t n, i = 0;
	const struct driver_callback *known = driver_callbacks(&n);

	while (i < n && known[i].id != id)
		i++;
	if (i == n)
		return;
	if (known[i].call == DRIVER_WAITS)
		sample_after_wait(data);
	else if (data->callbackSite == CUPTI_API_ENTER)
		call_begins(known[i].call, id, data);
	else
		call_ends(known[i].call, data);
}

/* The profiler must not keep a context that is gone. */
static void on_context_event(CUpti_CallbackId id, const CUpti_ResourceData *resource)
{
	if (id != CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING || !resource->context || this_call.depth > 0 ||
		!shut_gate())
		return;
	counting_leave(resource->context);
	sampler_leave(resource->context);
	leave_gate();
}

static void CUPTIAPI on_callback(void *user, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data)
{
	int before = errno;

	(void)user;
	if (atomic_load(&injected.works) && domain == CUPTI_CB_DOMAIN_DRIVER_API)
		on_driver_call(id, data);
	else if (atomic_load(&injected.works) && domain == CUPTI_CB_DOMAIN_RESOURCE)
		on_context_event(id, data);
	errno = before;
}

/* ---- begin and end ---- */

static void count_in_child(void)
{
	atomic_store(&injected.works, false);
	counting_forget();
	sampler_forget();
}

/* CUDA is still there. */
static void count_at_exit(void)
{
	if (!atomic_load(&injected.works) || injected.process != getpid() || this_call.depth > 0 || !shut_gate())
		return;
	counting_leave(NULL);
	sampler_leave(NULL);
	leave_gate();
}

static int enable_callbacks(CUpti_SubscriberHandle subscriber, struct error *err)
{
	size_t n;
	const struct driver_callback *known = driver_callbacks(&n);
	CUptiResult code =
		injected.enable(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING);

	for (size_t i = 0; i < n && code == CUPTI_SUCCESS; i++)
		if (known[i].call != DRIVER_WAITS || sampler_follows_waits())
			code = injected.enable(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, known[i].id);
	return code == CUPTI_SUCCESS ? 0 : cupti_error(&injected.cupti, err, code, "launches cannot be followed");
}

static int follow_launches(struct error *err)
{
	CUpti_SubscriberHandle subscriber;
	CUptiResult code;

	*(void **)&injected.subscribe = dlsym(injected.cupti.handle, "cuptiSubscribe");
	*(void **)&injected.enable = dlsym(injected.cupti.handle, "cuptiEnableCallback");
	if (!injected.subscribe || !injected.enable)
		return error_set(err, "%s cannot follow launches", injected.cupti.path);
	code = injected.subscribe(&subscriber, on_callback, NULL);
	if (code != CUPTI_SUCCESS)
		return cupti_error(&injected.cupti, err, code, "launches cannot be followed");
	return enable_callbacks(subscriber, err);
}

static void count_prepare(void)
{
	const char *folder = getenv(COUNT_FOLDER);
	struct error err = {0};

	if (!folder || *folder == '\0' || !count_results_use(folder))
		return;
	injected.process = getpid();
	if (pthread_atfork(NULL, NULL, count_in_child) == 0 && cupti_open(&injected.cupti, &err) == 0 &&
		counting_prepare(folder, &injected.cupti, &err) == 0 && follow_launches(&err) == 0 &&
		sampler_prepare(&injected.cupti, count_at_exit, &err) == 0 && atexit(count_at_exit) == 0)
		atomic_store(&injected.works, true);
	else
		counting_refuse(&err);
}

/* The CUDA driver calls it when it starts. */
EXPORTED int count_initialize(void) __asm__("InitializeInjection");
int count_initialize(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	(void)pthread_once(&once, count_prepare);
	return 1;
}
