/* cupti-client.c: what a client asks of the stand-in's CUPTI: names, times, and which kinds of records are taken. */
#include "cupti-records.h"

#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cuda-parts.h"

/* The runtime's calls that are recorded, under the number that CUPTI gives them. */
#define CALL(name)                                                                                                     \
	{                                                                                                              \
		CUPTI_RUNTIME_TRACE_CBID_##name, #name                                                                 \
	}
static const struct {
	CUpti_CallbackId id;
	const char *name;
} calls[] = {
	CALL(cudaDeviceSynchronize_v3020),
	CALL(cudaEventCreate_v3020),
	CALL(cudaEventCreateWithFlags_v3020),
	CALL(cudaEventDestroy_v3020),
	CALL(cudaEventElapsedTime_v3020),
	CALL(cudaEventQuery_v3020),
	CALL(cudaEventRecord_v3020),
	CALL(cudaEventSynchronize_v3020),
	CALL(cudaFree_v3020),
	CALL(cudaFreeHost_v3020),
	CALL(cudaGraphLaunch_v10000),
	CALL(cudaLaunchHostFunc_v10000),
	CALL(cudaLaunchKernel_v7000),
	CALL(cudaMalloc_v3020),
	CALL(cudaMallocHost_v3020),
	CALL(cudaMemcpy_v3020),
	CALL(cudaMemcpyAsync_v3020),
	CALL(cudaMemset_v3020),
	CALL(cudaMemsetAsync_v3020),
	CALL(cudaStreamCreateWithFlags_v5000),
	CALL(cudaStreamCreateWithPriority_v5050),
	CALL(cudaStreamDestroy_v5050),
	CALL(cudaStreamSynchronize_v3020),
	CALL(cudaStreamWaitEvent_v3020),
};
#undef CALL

enum { NCALLS = sizeof calls / sizeof calls[0] };

static CUpti_TimestampCallbackFunc clock_of_client;
/* Set in one thread while others launch. */
static _Atomic(CUpti_ActivityThreadIdType) thread_ids = CUPTI_ACTIVITY_THREAD_ID_TYPE_DEFAULT;

/* What the driver holds while it starts CUDA. */
static pthread_mutex_t starting = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

/* ---- time and threads ---- */

uint64_t records_stamp(uint64_t ns)
{
	CUpti_TimestampCallbackFunc clock = __atomic_load_n(&clock_of_client, __ATOMIC_ACQUIRE);

	return clock == NULL || ns == 0 ? ns : ns + clock() - stand_in_now();
}

uint32_t records_thread(void)
{
	return thread_ids == CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM ? (uint32_t)syscall(SYS_gettid)
								  : (uint32_t)pthread_self();
}

/* ---- names ---- */

/* "cudaLaunchKernel" is "cudaLaunchKernel_v7000". */
CUpti_CallbackId records_call_id(const char *call)
{
	size_t length = strlen(call);

	for (int i = 0; i < NCALLS; i++)
		if (strncmp(calls[i].name, call, length) == 0 && strncmp(calls[i].name + length, "_v", 2) == 0)
			return calls[i].id;
	return CUPTI_RUNTIME_TRACE_CBID_INVALID;
}

CUptiResult CUPTIAPI cuptiGetVersion(uint32_t *version)
{
	STAND_IN_CALL(CUptiResult);
	if (version == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	*version = CUPTI_API_VERSION;
	return CUPTI_SUCCESS;
}

/* Those that dbprof has advice for have CUPTI's names. */
CUptiResult CUPTIAPI cuptiGetResultString(CUptiResult result, const char **text)
{
#define NAME(code)                                                                                                     \
	case code:                                                                                                     \
		*text = #code;                                                                                         \
		return CUPTI_SUCCESS
	STAND_IN_CALL(CUptiResult);
	if (text == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	switch (result) {
		NAME(CUPTI_SUCCESS);
		NAME(CUPTI_ERROR_INVALID_PARAMETER);
		NAME(CUPTI_ERROR_INVALID_KIND);
		NAME(CUPTI_ERROR_NOT_INITIALIZED);
		NAME(CUPTI_ERROR_INVALID_OPERATION);
		NAME(CUPTI_ERROR_OUT_OF_MEMORY);
		NAME(CUPTI_ERROR_HARDWARE_BUSY);
		NAME(CUPTI_ERROR_NOT_SUPPORTED);
		NAME(CUPTI_ERROR_NOT_COMPATIBLE);
		NAME(CUPTI_ERROR_INVALID_METRIC_NAME);
		NAME(CUPTI_ERROR_INVALID_CHIP_NAME);
		NAME(CUPTI_ERROR_MAX_LIMIT_REACHED);
		NAME(CUPTI_ERROR_INSUFFICIENT_PRIVILEGES);
		NAME(CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
		NAME(CUPTI_ERROR_UNKNOWN);
	default:
		*text = "<unknown>";
		return CUPTI_ERROR_INVALID_PARAMETER;
	}
#undef NAME
}

CUptiResult CUPTIAPI cuptiGetCallbackName(CUpti_CallbackDomain domain, uint32_t id, const char **name)
{
	STAND_IN_CALL(CUptiResult);
	if (name == NULL || domain != CUPTI_CB_DOMAIN_RUNTIME_API)
		return CUPTI_ERROR_INVALID_PARAMETER;
	for (int i = 0; i < NCALLS; i++) {
		if (calls[i].id == id) {
			*name = calls[i].name;
			return CUPTI_SUCCESS;
		}
	}
	*name = "INVALID";
	return id == CUPTI_RUNTIME_TRACE_CBID_INVALID ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}

/* ---- starting and ending ---- */

void stand_in_start_cuda(int (*injection)(void))
{
	const struct timespec a_while = {.tv_nsec = 100 * 1000 * 1000};

	pthread_mutex_lock(&starting);
	nanosleep(&a_while, NULL);
	injection();
	pthread_mutex_unlock(&starting);
}

CUptiResult CUPTIAPI cuptiGetTimestamp(uint64_t *timestamp)
{
	STAND_IN_CALL(CUptiResult);
	if (timestamp == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	*timestamp = records_stamp(stand_in_now());
	return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiSetThreadIdType(CUpti_ActivityThreadIdType type)
{
	STAND_IN_CALL(CUptiResult);
	if ((unsigned)type >= CUPTI_ACTIVITY_THREAD_ID_TYPE_SIZE)
		return CUPTI_ERROR_INVALID_PARAMETER;
	thread_ids = type;
	return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiActivityRegisterTimestampCallback(CUpti_TimestampCallbackFunc clock)
{
	STAND_IN_CALL(CUptiResult);
	if (clock == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	__atomic_store_n(&clock_of_client, clock, __ATOMIC_RELEASE);
	return CUPTI_SUCCESS;
}

/* The only attribute that is written: a byte. */
CUptiResult CUPTIAPI cuptiActivitySetAttribute(CUpti_ActivityAttribute which, size_t *size, void *value)
{
	STAND_IN_CALL(CUptiResult);
	if (size == NULL || value == NULL || which != CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER)
		return CUPTI_ERROR_INVALID_PARAMETER;
	return *size < sizeof(uint8_t) ? CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT : CUPTI_SUCCESS;
}

/* The runtime here makes no calls of the driver. */
CUptiResult CUPTIAPI cuptiActivityEnableDriverApi(CUpti_CallbackId id, uint8_t enable)
{
	STAND_IN_CALL(CUptiResult);
	(void)enable;
	return id == CUPTI_DRIVER_TRACE_CBID_INVALID ? CUPTI_ERROR_INVALID_PARAMETER : CUPTI_SUCCESS;
}

/* Starts CUDA, as the first call of the driver would; without a device it does not start. */
CUptiResult CUPTIAPI cuptiActivityEnable(CUpti_ActivityKind kind)
{
	STAND_IN_CALL(CUptiResult);
	if ((unsigned)kind >= CUPTI_ACTIVITY_KIND_COUNT)
		return CUPTI_ERROR_INVALID_KIND;
	if (stand_in()->driver / 1000 < CUDART_VERSION / 1000)
		return CUPTI_ERROR_NOT_COMPATIBLE;
	if (stand_in()->devices == 0)
		return CUPTI_ERROR_NOT_INITIALIZED;
	pthread_mutex_lock(&starting);
	records_start();
	pthread_mutex_unlock(&starting);
	if (kind == CUPTI_ACTIVITY_KIND_DEVICE && !records_wanted(kind)) {
		records_enable(kind, true);
		for (int i = 0; i < stand_in()->devices; i++)
			records_put_device(i);
	}
	records_enable(kind, true);
	return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiActivityDisable(CUpti_ActivityKind kind)
{
	STAND_IN_CALL(CUptiResult);
	if ((unsigned)kind >= CUPTI_ACTIVITY_KIND_COUNT)
		return CUPTI_ERROR_INVALID_KIND;
	records_enable(kind, false);
	return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiFinalize(void)
{
	STAND_IN_CALL(CUptiResult);
	for (int i = 0; i < CUPTI_ACTIVITY_KIND_COUNT; i++)
		records_enable((CUpti_ActivityKind)i, false);
	records_finalize();
	return CUPTI_SUCCESS;
}
