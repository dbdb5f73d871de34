/* ranges.c: everything that NVTX can say: nested and overlapping ranges, marks, domains, registered texts, payloads,
 * categories, colours, wide characters, a range that is never closed. Without arguments CUDA has no part in it; with
 * "cuda" the driver is loaded and used after the first ranges, as by a program that annotates before it computes.
 *
 * usage: ranges [cuda [N]]: N more push/pop ranges. Prints one line:
 *     nvtx pushpop N startend N marks N domains N open N */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cuda.h>
#include <nvtx3/nvToolsExt.h>

static int pushpop, startend, marks, domains, open_ranges;

static nvtxEventAttributes_t attributes(const char *text)
{
	nvtxEventAttributes_t a = {.version = NVTX_VERSION, .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE};

	a.messageType = NVTX_MESSAGE_TYPE_ASCII;
	a.message.ascii = text;
	return a;
}

static void nested(void)
{
	nvtxRangePushA("outer");
	nvtxRangePushA("inner");
	nvtxRangePushW(L"wide");
	nvtxRangePop();
	nvtxRangePop();
	nvtxMarkA("mark");
	nvtxRangePop();
	pushpop += 3;
	marks++;
}

static void *end_elsewhere(void *range)
{
	nvtxRangeEnd(*(nvtxRangeId_t *)range);
	return NULL;
}

/* They overlap, and the second is closed by another thread. */
static void overlapping(void)
{
	nvtxRangeId_t first = nvtxRangeStartA("first"), second = nvtxRangeStartA("second");
	pthread_t thread;

	nvtxRangeEnd(first);
	if (pthread_create(&thread, NULL, end_elsewhere, &second) != 0)
		exit(1);
	pthread_join(thread, NULL);
	startend += 2;
}

static void mark_with(nvtxDomainHandle_t domain, nvtxEventAttributes_t *a)
{
	nvtxDomainMarkEx(domain, a);
	marks++;
}

static void payloads(nvtxDomainHandle_t domain)
{
	nvtxEventAttributes_t a = attributes("payload");

	a.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT64;
	a.payload.ullValue = 1ull << 40;
	mark_with(domain, &a);
	a.payloadType = NVTX_PAYLOAD_TYPE_INT64;
	a.payload.llValue = -5;
	mark_with(domain, &a);
	a.payloadType = NVTX_PAYLOAD_TYPE_DOUBLE;
	a.payload.dValue = 2.5;
	mark_with(domain, &a);
	a.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT32;
	a.payload.uiValue = 7;
	mark_with(domain, &a);
	a.payloadType = NVTX_PAYLOAD_TYPE_INT32;
	a.payload.iValue = -7;
	mark_with(domain, &a);
	a.payloadType = NVTX_PAYLOAD_TYPE_FLOAT;
	a.payload.fValue = 0.5f;
	mark_with(domain, &a);
}

static void in_a_domain(void)
{
	nvtxDomainHandle_t domain = nvtxDomainCreateA("programs");
	nvtxEventAttributes_t a = attributes(NULL);

	domains++;
	nvtxDomainNameCategoryA(domain, 3, "loading");
	a.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
	a.message.registered = nvtxDomainRegisterStringA(domain, "registered");
	a.category = 3;
	a.colorType = NVTX_COLOR_ARGB;
	a.color = 0xff0072b2;
	nvtxDomainRangePushEx(domain, &a);
	nvtxDomainRangePop(domain);
	pushpop++;
	payloads(domain);
	nvtxDomainRangeEnd(domain, nvtxDomainRangeStartEx(domain, &a));
	startend++;
}

/* Looks a function of the driver up by the name that it has in the library, not in cuda.h. */
#define DRIVER(function, name) *(void **)&(function) = dlsym(driver, name)

/* The driver alone, loaded now: nothing of CUDA is in the program before. A memset. */
static int use_cuda(void)
{
	static void *driver; /* stays loaded */
	CUresult (*init)(unsigned), (*retain)(CUcontext *, CUdevice), (*set)(CUcontext);
	CUresult (*alloc)(CUdeviceptr *, size_t), (*fill)(CUdeviceptr, unsigned char, size_t), (*synchronize)(void);
	CUdeviceptr memory;
	CUcontext context;

	driver = dlopen("libcuda.so.1", RTLD_NOW);
	if (driver == NULL)
		return -1;
	DRIVER(init, "cuInit");
	DRIVER(retain, "cuDevicePrimaryCtxRetain");
	DRIVER(set, "cuCtxSetCurrent");
	DRIVER(alloc, "cuMemAlloc_v2");
	DRIVER(fill, "cuMemsetD8_v2");
	DRIVER(synchronize, "cuCtxSynchronize");
	if (init == NULL || retain == NULL || set == NULL || alloc == NULL || fill == NULL || synchronize == NULL)
		return -1;
	if (init(0) != CUDA_SUCCESS || retain(&context, 0) != CUDA_SUCCESS || set(context) != CUDA_SUCCESS ||
		alloc(&memory, 4096) != CUDA_SUCCESS || fill(memory, 0, 4096) != CUDA_SUCCESS)
		return -1;
	return synchronize() == CUDA_SUCCESS ? 0 : -1;
}

static void many(long n)
{
	char text[32];

	for (long i = 0; i < n; i++) {
		snprintf(text, sizeof text, "range %ld", i % 100);
		nvtxRangePushA(text);
		nvtxRangePop();
	}
	pushpop += (int)n;
}

int main(int argc, char **argv)
{
	nested();
	if (argc > 1 && use_cuda() != 0) {
		fputs("ranges: CUDA does not work here\n", stderr);
		return 1;
	}
	overlapping();
	in_a_domain();
	many(argc > 2 ? atol(argv[2]) : 0);
	nvtxRangePushA("never closed");
	open_ranges++;
	printf("nvtx pushpop %d startend %d marks %d domains %d open %d\n", pushpop, startend, marks, domains,
		open_ranges);
	return 0;
}
