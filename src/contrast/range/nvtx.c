/* nvtx.c: the library inside a program whose range is wanted. NVTX calls the functions of its table below. Both kinds
 * of ranges are known by their message alone, in whatever domain. */
#include "contrast/range/heard.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <nvtx3/nvToolsExt.h>

#include "contrast/range/range.h"
#include "util/utf8.h"

#define EXPORTED __attribute__((visibility("default")))

enum { MAX_DOMAINS = 4096, MAX_OPEN = 64, NAME_ROOM = 4096 };

/* Ours of the push/pop ranges that are open in a thread, the innermost last. */
struct open_range {
	unsigned domain, level;
	int64_t mark;
};

struct thread {
	unsigned *levels; /* of each domain: how many push/pop ranges are open */
	unsigned ndomains, nopen;
	struct open_range open[MAX_OPEN];
};

static struct {
	bool works;
	char name[NAME_ROOM];
	wchar_t wide[NAME_ROOM];
	pthread_key_t key; /* tells of a thread's end */
	atomic_uint domains;
	atomic_uint_least64_t ids;
} timed;

static __thread struct thread *this_thread;

/* ---- threads ---- */

/* NULL without memory. */
static struct thread *get_thread(void)
{
	struct thread *thread = this_thread;

	if (thread)
		return thread;
	thread = calloc(1, sizeof(*thread));
	if (!thread || pthread_setspecific(timed.key, thread) != 0) {
		free(thread);
		return NULL;
	}
	this_thread = thread;
	return thread;
}

static void thread_ends(void *ended)
{
	struct thread *thread = ended;

	this_thread = NULL;
	free(thread->levels);
	free(thread);
}

/* What is open is forgotten. */
static void range_in_child(void)
{
	range_ear.forgets();
	(void)pthread_setspecific(timed.key, NULL);
	this_thread = NULL;
}

/* The counter of a domain's levels, or NULL. */
static unsigned *level_of(struct thread *thread, unsigned domain)
{
	unsigned n = domain + 8;
	unsigned *levels;

	if (!thread || domain >= MAX_DOMAINS)
		return NULL;
	if (domain < thread->ndomains)
		return &thread->levels[domain];
	levels = realloc(thread->levels, n * sizeof(*levels));
	if (!levels)
		return NULL;
	memset(levels + thread->ndomains, 0, (n - thread->ndomains) * sizeof(*levels));
	thread->levels = levels;
	thread->ndomains = n;
	return &levels[domain];
}

/* ---- messages ---- */

/* Handles of registered messages: all that matters is whether it is the name. */
static char is_name, is_another;

static bool is_range_name(const char *text)
{
	return text && strcmp(text, timed.name) == 0;
}

static bool is_range_name_wide(const wchar_t *text)
{
	return text && wcscmp(text, timed.wide) == 0;
}

static bool has_range_name(const nvtxEventAttributes_t *event)
{
	if (!event)
		return false;
	switch (event->messageType) {
	case NVTX_MESSAGE_TYPE_ASCII:
		return is_range_name(event->message.ascii);
	case NVTX_MESSAGE_TYPE_UNICODE:
		return is_range_name_wide(event->message.unicode);
	case NVTX_MESSAGE_TYPE_REGISTERED:
		return (const void *)event->message.registered == &is_name;
	default:
		return false;
	}
}

static nvtxStringHandle_t handle_for(bool matches)
{
	return (nvtxStringHandle_t)(void *)(matches ? &is_name : &is_another);
}

static nvtxStringHandle_t NVTX_API range_register(nvtxDomainHandle_t domain, const char *text)
{
	(void)domain;
	return handle_for(is_range_name(text));
}

static nvtxStringHandle_t NVTX_API range_register_wide(nvtxDomainHandle_t domain, const wchar_t *text)
{
	(void)domain;
	return handle_for(is_range_name_wide(text));
}

/* ---- domains: their handle is their number; 0, which is NULL, is the default one ---- */

static nvtxDomainHandle_t NVTX_API range_create_domain(const char *name)
{
	(void)name;
	return (nvtxDomainHandle_t)(uintptr_t)(atomic_fetch_add(&timed.domains, 1) + 1);
}

static nvtxDomainHandle_t NVTX_API range_create_domain_wide(const wchar_t *name)
{
	(void)name;
	return range_create_domain(NULL);
}

static unsigned domain_index(nvtxDomainHandle_t domain)
{
	uintptr_t number = (uintptr_t)domain;

	return number < MAX_DOMAINS ? (unsigned)number : MAX_DOMAINS;
}

/* ---- push and pop ---- */

/* Returns the level of the range, from 0 on. */
static int begin_range(unsigned domain, bool matches)
{
	struct thread *thread = get_thread();
	unsigned *level = level_of(thread, domain);
	int64_t mark = 0;

	if (!level)
		return NVTX_NO_PUSH_POP_TRACKING;
	if (matches && thread->nopen < MAX_OPEN)
		mark = range_ear.begins(true);
	if (mark > 0)
		thread->open[thread->nopen++] = (struct open_range){domain, *level, mark};
	return (int)(*level)++;
}

/* The open range of that level, or -1. Ranges of several domains need not end in the order of their begin. */
static int find_open(const struct thread *thread, unsigned domain, unsigned level)
{
	int i = (int)thread->nopen - 1;

	while (i >= 0 && (thread->open[i].domain != domain || thread->open[i].level != level))
		i--;
	return i;
}

static int end_range(unsigned domain)
{
	struct thread *thread = get_thread();
	unsigned *level = level_of(thread, domain);
	int i;

	if (!level || *level == 0)
		return NVTX_NO_PUSH_POP_TRACKING;
	i = find_open(thread, domain, --*level);
	if (i >= 0) {
		range_ear.ends(thread->open[i].mark, true);
		memmove(&thread->open[i], &thread->open[i + 1],
			(--thread->nopen - (unsigned)i) * sizeof(*thread->open));
	}
	return (int)*level;
}

static int NVTX_API range_push(const char *text)
{
	return begin_range(0, is_range_name(text));
}

static int NVTX_API range_push_wide(const wchar_t *text)
{
	return begin_range(0, is_range_name_wide(text));
}

static int NVTX_API range_push_event(const nvtxEventAttributes_t *event)
{
	return begin_range(0, has_range_name(event));
}

static int NVTX_API range_push_in(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event)
{
	return begin_range(domain_index(domain), has_range_name(event));
}

static int NVTX_API range_pop(void)
{
	return end_range(0);
}

static int NVTX_API range_pop_in(nvtxDomainHandle_t domain)
{
	return end_range(domain_index(domain));
}

/* ---- start and end: the id of one of ours has its mark ---- */

static const nvtxRangeId_t OURS = UINT64_C(1) << 63;

static nvtxRangeId_t start_id(bool matches)
{
	int64_t mark = matches ? range_ear.begins(false) : 0;

	return mark > 0 ? OURS | (nvtxRangeId_t)mark : atomic_fetch_add(&timed.ids, 1) + 1;
}

static nvtxRangeId_t NVTX_API range_start(const char *text)
{
	return start_id(is_range_name(text));
}

static nvtxRangeId_t NVTX_API range_start_wide(const wchar_t *text)
{
	return start_id(is_range_name_wide(text));
}

static nvtxRangeId_t NVTX_API range_start_event(const nvtxEventAttributes_t *event)
{
	return start_id(has_range_name(event));
}

static nvtxRangeId_t NVTX_API range_start_in(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event)
{
	(void)domain;
	return start_id(has_range_name(event));
}

static void NVTX_API range_end_id(nvtxRangeId_t id)
{
	if ((id & OURS) != 0)
		range_ear.ends((int64_t)(id & ~OURS), false);
}

static void NVTX_API range_end_in(nvtxDomainHandle_t domain, nvtxRangeId_t id)
{
	(void)domain;
	range_end_id(id);
}

/* ---- NVTX's table ---- */

static const struct entry {
	NvtxCallbackModule module;
	unsigned id;
	NvtxFunctionPointer function;
} entries[] = {
	{NVTX_CB_MODULE_CORE, NVTX_CBID_CORE_RangeStartA, (NvtxFunctionPointer)range_start},
	{NVTX_CB_MODULE_CORE, NVTX_CBID_CORE_RangeStartW, (NvtxFunctionPointer)range_start_wide},
	{NVTX_CB_MODULE_CORE, NVTX_CBID_CORE_RangeStartEx, (NvtxFunctionPointer)range_start_event},
	{NVTX_CB_MODULE_CORE, NVTX_CBID_CORE_RangeEnd, (NvtxFunctionPointer)range_end_id},
	{NVTX_CB_MODULE_CORE, NVTX_CBID_CORE_RangePushA, (NvtxFunctionPointer)range_push},
	{NVTX_CB_MODULE_CORE, NVTX_CBID_CORE_RangePushW, (NvtxFunctionPointer)range_push_wide},
	{NVTX_CB_MODULE_CORE, NVTX_CBID_CORE_RangePushEx, (NvtxFunctionPointer)range_push_event},
	{NVTX_CB_MODULE_CORE, NVTX_CBID_CORE_RangePop, (NvtxFunctionPointer)range_pop},
	{NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainRangeStartEx, (NvtxFunctionPointer)range_start_in},
	{NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainRangeEnd, (NvtxFunctionPointer)range_end_in},
	{NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainRangePushEx, (NvtxFunctionPointer)range_push_in},
	{NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainRangePop, (NvtxFunctionPointer)range_pop_in},
	{NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainRegisterStringA, (NvtxFunctionPointer)range_register},
	{NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainRegisterStringW, (NvtxFunctionPointer)range_register_wide},
	{NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainCreateA, (NvtxFunctionPointer)range_create_domain},
	{NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainCreateW, (NvtxFunctionPointer)range_create_domain_wide},
};

static void enter(const NvtxExportTableCallbacks *callbacks, const struct entry *entry)
{
	NvtxFunctionTable table = NULL;
	unsigned size = 0;

	if (callbacks->GetModuleFunctionTable(entry->module, &table, &size) == 1 && entry->id < size &&
		table[entry->id])
		*table[entry->id] = entry->function;
}

/* The name as wide characters. What is no UTF-8 stands for itself. */
static void range_widen(const char *name)
{
	const unsigned char *at = (const unsigned char *)name;
	size_t left = strlen(name), n = 0;

	while (left > 0) {
		uint32_t code;
		size_t length = utf8_character(at, left, &code);

		timed.wide[n++] = (wchar_t)(length > 0 ? code : *at);
		length = length > 0 ? length : 1;
		at += length;
		left -= length;
	}
}

static void prepare(void)
{
	const char *name = getenv(RANGE_NAME);

	if (!name || strlen(name) >= NAME_ROOM || !range_ear.is_wanted())
		return;
	memcpy(timed.name, name, strlen(name) + 1);
	range_widen(name);
	timed.works =
		pthread_key_create(&timed.key, thread_ends) == 0 && pthread_atfork(NULL, NULL, range_in_child) == 0;
}

/* Each object of the program that has NVTX in it calls this, with a table of its own. 1 for success. */
EXPORTED int range_initialize(NvtxGetExportTableFunc_t get_table) __asm__("InitializeInjectionNvtx2");
int range_initialize(NvtxGetExportTableFunc_t get_table)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	const NvtxExportTableCallbacks *callbacks = get_table ? get_table(NVTX_ETID_CALLBACKS) : NULL;

	(void)pthread_once(&once, prepare);
	if (!timed.works || !callbacks)
		return 0;
	for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++)
		enter(callbacks, &entries[i]);
	return 1;
}
