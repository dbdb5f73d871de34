/*
 * cupti-ranges.c: NVTX ranges as the stand-in's CUPTI records them. NVTX loads the library that NVTX_INJECTION64_PATH
 * names and calls its InitializeInjectionNvtx2(), which puts our functions into NVTX's table. Functions for wide
 * characters stay NVTX's own, which do nothing.
 */
#include "cupti-records.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NVTX_NO_IMPL
#include <nvtx3/nvToolsExt.h>

enum { BUCKETS = 1024, MAX_DEPTH = 256 };

static const uint32_t GREEN = 0xff00ff00;

/* Names live as long as the process: records point to them. Domains and registered strings are names, too. */
struct name {
	struct name *next;
	char text[];
};

static struct name *names[BUCKETS];
static pthread_mutex_t names_lock = PTHREAD_MUTEX_INITIALIZER;

static uint32_t ids; /* of ranges and marks so far */

/* The pushed ranges of this thread, of all domains. */
static _Thread_local struct {
	const struct name *domain;
	uint32_t id;
} stack[MAX_DEPTH];
static _Thread_local int depth;

/* ---- names ---- */

static const struct name *keep(const char *text)
{
	unsigned hash = 5381;
	size_t size = strlen(text) + 1;
	struct name *name;

	for (const char *p = text; *p != '\0'; p++)
		hash = hash * 33 + (unsigned char)*p;
	pthread_mutex_lock(&names_lock);
	for (name = names[hash % BUCKETS]; name != NULL && strcmp(name->text, text) != 0;)
		name = name->next;
	if (name == NULL) {
		name = malloc(sizeof *name + size);
		if (name == NULL)
			abort();
		memcpy(name->text, text, size);
		name->next = names[hash % BUCKETS];
		names[hash % BUCKETS] = name;
	}
	pthread_mutex_unlock(&names_lock);
	return name;
}

static const char *message_of(const nvtxEventAttributes_t *event)
{
	if (event->messageType == NVTX_MESSAGE_TYPE_ASCII && event->message.ascii != NULL)
		return keep(event->message.ascii)->text;
	if (event->messageType == NVTX_MESSAGE_TYPE_REGISTERED && event->message.registered != NULL)
		return ((const struct name *)(const void *)event->message.registered)->text;
	return NULL;
}

/* ---- records ---- */

static void put_marker(uint32_t id, const struct name *domain, const char *text, CUpti_ActivityFlag flags)
{
	marker_record marker = {.kind = CUPTI_ACTIVITY_KIND_MARKER,
		.flags = flags,
		.timestamp = records_stamp(stand_in_now()),
		.id = id,
		.objectKind = CUPTI_ACTIVITY_OBJECT_THREAD,
		.name = text,
		.domain = domain == NULL ? NULL : domain->text};

	marker.objectId.pt.processId = (uint32_t)getpid();
	marker.objectId.pt.threadId = records_thread();
	records_put_on_thread(&marker);
}

/* A range without a payload has one of 0. */
static void put_payload(marker_data_record *data, const nvtxEventAttributes_t *event)
{
	data->payloadKind = CUPTI_METRIC_VALUE_KIND_UINT64;
	switch (event->payloadType) {
	case NVTX_PAYLOAD_TYPE_UNSIGNED_INT64:
		data->payload.metricValueUint64 = event->payload.ullValue;
		break;
	case NVTX_PAYLOAD_TYPE_INT64:
		data->payloadKind = CUPTI_METRIC_VALUE_KIND_INT64;
		data->payload.metricValueInt64 = event->payload.llValue;
		break;
	case NVTX_PAYLOAD_TYPE_DOUBLE:
		data->payloadKind = CUPTI_METRIC_VALUE_KIND_DOUBLE;
		data->payload.metricValueDouble = event->payload.dValue;
		break;
	}
}

static void put_data(uint32_t id, const nvtxEventAttributes_t *event)
{
	marker_data_record data = {
		.kind = CUPTI_ACTIVITY_KIND_MARKER_DATA, .id = id, .color = event->color, .category = event->category};

	if (event->colorType == NVTX_COLOR_ARGB)
		data.flags = CUPTI_ACTIVITY_FLAG_MARKER_COLOR_ARGB;
	put_payload(&data, event);
	records_put_on_thread(&data);
}

/* Returns its number. */
static uint32_t begin(const struct name *domain, const nvtxEventAttributes_t *event, CUpti_ActivityFlag flags)
{
	uint32_t id = __atomic_add_fetch(&ids, 1, __ATOMIC_RELAXED);

	put_marker(id, domain, message_of(event), flags);
	put_data(id, event);
	return id;
}

static void end(uint32_t id, const struct name *domain)
{
	put_marker(id, domain, NULL, CUPTI_ACTIVITY_FLAG_MARKER_END);
}

/* ---- NVTX's functions with a domain ---- */

static const struct name *name_of(nvtxDomainHandle_t domain)
{
	return (const struct name *)(const void *)domain;
}

static nvtxDomainHandle_t NVTX_API domain_create(const char *text)
{
	return (nvtxDomainHandle_t)(void *)(uintptr_t)keep(text);
}

static nvtxStringHandle_t NVTX_API domain_register(nvtxDomainHandle_t domain, const char *text)
{
	(void)domain;
	return (nvtxStringHandle_t)(void *)(uintptr_t)keep(text);
}

static void NVTX_API domain_mark(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event)
{
	(void)begin(name_of(domain), event, CUPTI_ACTIVITY_FLAG_MARKER_INSTANTANEOUS);
}

static nvtxRangeId_t NVTX_API domain_start(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event)
{
	return begin(name_of(domain), event, CUPTI_ACTIVITY_FLAG_MARKER_START);
}

static void NVTX_API domain_end(nvtxDomainHandle_t domain, nvtxRangeId_t id)
{
	end((uint32_t)id, name_of(domain));
}

/* How many ranges of the domain are open. */
static int level_of(const struct name *domain)
{
	int level = 0;

	for (int i = 0; i < depth; i++)
		level += stack[i].domain == domain;
	return level;
}

/* Returns the level of the range, from 0 on. */
static int NVTX_API domain_push(nvtxDomainHandle_t handle, const nvtxEventAttributes_t *event)
{
	const struct name *domain = name_of(handle);

	if (depth == MAX_DEPTH)
		return NVTX_NO_PUSH_POP_TRACKING;
	stack[depth].domain = domain;
	stack[depth++].id = begin(domain, event, CUPTI_ACTIVITY_FLAG_MARKER_START);
	return level_of(domain) - 1;
}

static int NVTX_API domain_pop(nvtxDomainHandle_t handle)
{
	const struct name *domain = name_of(handle);
	int level = level_of(domain) - 1, i = depth - 1;

	if (level < 0)
		return NVTX_NO_PUSH_POP_TRACKING;
	while (stack[i].domain != domain)
		i--;
	end(stack[i].id, domain);
	memmove(&stack[i], &stack[i + 1], (size_t)(--depth - i) * sizeof stack[0]);
	return level;
}

/* ---- and those without ---- */

static nvtxEventAttributes_t plain(const char *text)
{
	return (nvtxEventAttributes_t){.version = NVTX_VERSION,
		.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
		.messageType = NVTX_MESSAGE_TYPE_ASCII,
		.message.ascii = text};
}

static void NVTX_API mark(const char *text)
{
	const nvtxEventAttributes_t event = plain(text);

	domain_mark(NULL, &event);
}

static void NVTX_API mark_event(const nvtxEventAttributes_t *event)
{
	domain_mark(NULL, event);
}

static nvtxRangeId_t NVTX_API start(const char *text)
{
	const nvtxEventAttributes_t event = plain(text);

	return domain_start(NULL, &event);
}

static nvtxRangeId_t NVTX_API start_event(const nvtxEventAttributes_t *event)
{
	return domain_start(NULL, event);
}

static void NVTX_API end_id(nvtxRangeId_t id)
{
	domain_end(NULL, id);
}

static int NVTX_API push(const char *text)
{
	const nvtxEventAttributes_t event = plain(text);

	return domain_push(NULL, &event);
}

static int NVTX_API push_event(const nvtxEventAttributes_t *event)
{
	return domain_push(NULL, event);
}

static int NVTX_API pop(void)
{
	return domain_pop(NULL);
}

/* ---- NVTX's table ---- */

static const struct entry {
	NvtxCallbackModule module;
	unsigned id;
	NvtxFunctionPointer function;
} entries[] = {
	{NVTX_CB_MODULE_CORE, NVTX_CBID_CORE_MarkA, (NvtxFunctionPointer)mark},
	{NVTX_CB_MODULE_CORE, NVTX_CBID_CORE_MarkEx, (NvtxFunctionPointer)mark_event},
	{NVTX_CB_MODULE_CORE, NVTX_CBID_CORE_RangeStartA, (NvtxFunctionPointer)start},
	{NVTX_CB_MODULE_CORE, NVTX_CBID_CORE_RangeStartEx, (NvtxFunctionPointer)start_event},
	{NVTX_CB_MODULE_CORE, NVTX_CBID_CORE_RangeEnd, (NvtxFunctionPointer)end_id},
	{NVTX_CB_MODULE_CORE, NVTX_CBID_CORE_RangePushA, (NvtxFunctionPointer)push},
	{NVTX_CB_MODULE_CORE, NVTX_CBID_CORE_RangePushEx, (NvtxFunctionPointer)push_event},
	{NVTX_CB_MODULE_CORE, NVTX_CBID_CORE_RangePop, (NvtxFunctionPointer)pop},
	{NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainMarkEx, (NvtxFunctionPointer)domain_mark},
	{NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainRangeStartEx, (NvtxFunctionPointer)domain_start},
	{NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainRangeEnd, (NvtxFunctionPointer)domain_end},
	{NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainRangePushEx, (NvtxFunctionPointer)domain_push},
	{NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainRangePop, (NvtxFunctionPointer)domain_pop},
	{NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainRegisterStringA, (NvtxFunctionPointer)domain_register},
	{NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainCreateA, (NvtxFunctionPointer)domain_create},
};

static void enter(const NvtxExportTableCallbacks *callbacks, const struct entry *entry)
{
	NvtxFunctionTable table = NULL;
	unsigned size = 0;

	if (callbacks->GetModuleFunctionTable(entry->module, &table, &size) == 1 && entry->id < size &&
		table[entry->id] != NULL)
		*table[entry->id] = entry->function;
}

/* As NVTX calls it: 1 for success. A test that makes its ranges up has no table. */
int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_table);
int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_table)
{
	const NvtxExportTableCallbacks *callbacks;

	if (stand_in_fault(__func__, __builtin_return_address(0)) != 0)
		return 0;
	callbacks = get_table == NULL ? NULL : get_table(NVTX_ETID_CALLBACKS);
	for (size_t i = 0; callbacks != NULL && i < sizeof entries / sizeof entries[0]; i++)
		enter(callbacks, &entries[i]);
	return 1;
}

/* ---- ranges that a test makes up ---- */

uint32_t stand_in_range_begin(const char *name)
{
	nvtxEventAttributes_t event = plain(name);

	event.colorType = NVTX_COLOR_ARGB;
	event.color = GREEN;
	return begin(NULL, &event, CUPTI_ACTIVITY_FLAG_MARKER_START);
}

void stand_in_range_end(uint32_t id)
{
	end(id, NULL);
}
