/* stand-in-ranges.c: NVTX ranges and marks as the stand-in's CUPTI records them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <cupti.h>
#include <nvtx3/nvToolsExt.h>
#include <string.h>

#include "fixtures/stand-in-child.h"

enum { BUFFER = 4096, MAX_MARKERS = 64 };

static struct {
	CUpti_ActivityMarker2 markers[MAX_MARKERS];
	CUpti_ActivityMarkerData data[MAX_MARKERS];
	int nmarkers, ndata;
} got;

/* ---- a client ---- */

static void CUPTIAPI request(uint8_t **buffer, size_t *size, size_t *max)
{
	*buffer = aligned_alloc(8, BUFFER);
	*size = BUFFER;
	*max = 0;
}

static void CUPTIAPI complete(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid)
{
	CUpti_Activity *record = NULL;

	(void)context, (void)stream, (void)size;
	while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
		CHECK(got.nmarkers < MAX_MARKERS && got.ndata < MAX_MARKERS);
		if (record->kind == CUPTI_ACTIVITY_KIND_MARKER)
			got.markers[got.nmarkers++] = *(const CUpti_ActivityMarker2 *)record;
		else if (record->kind == CUPTI_ACTIVITY_KIND_MARKER_DATA)
			got.data[got.ndata++] = *(const CUpti_ActivityMarkerData *)record;
	}
	free(buffer);
}

/* ---- ranges ---- */

static const CUpti_ActivityMarker2 *marker(int i, uint32_t flags, const char *name, const char *domain)
{
	const CUpti_ActivityMarker2 *m = &got.markers[i];

	CHECK(i < got.nmarkers && (uint32_t)m->flags == flags);
	CHECK((m->name == NULL) == (name == NULL) && (name == NULL || strcmp(m->name, name) == 0));
	CHECK((m->domain == NULL) == (domain == NULL) && (domain == NULL || strcmp(m->domain, domain) == 0));
	return m;
}

/* As nvtx.c makes them: the text is gone when the records are read. */
static void push(nvtxDomainHandle_t domain, const char *name, int64_t payload)
{
	char text[32];
	const nvtxEventAttributes_t event = {.version = NVTX_VERSION,
		.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
		.colorType = NVTX_COLOR_ARGB,
		.color = 0xff0072b2,
		.payloadType = NVTX_PAYLOAD_TYPE_INT64,
		.payload.llValue = payload,
		.messageType = NVTX_MESSAGE_TYPE_ASCII,
		.message.ascii = text};

	snprintf(text, sizeof text, "%s", name);
	CHECK(nvtxDomainRangePushEx(domain, &event) == payload);
	memset(text, 'x', sizeof text);
}

static void make_ranges(void)
{
	nvtxDomainHandle_t domain = nvtxDomainCreateA("ours");
	nvtxEventAttributes_t event = {.version = NVTX_VERSION,
		.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
		.messageType = NVTX_MESSAGE_TYPE_REGISTERED,
		.message.registered = nvtxDomainRegisterStringA(domain, "kept")};
	nvtxRangeId_t id;

	push(domain, "outer", 0);
	push(domain, "inner", 1);
	CHECK(nvtxRangePushA("other") == 0);
	CHECK(nvtxDomainRangePop(domain) == 1);
	CHECK(nvtxDomainRangePop(domain) == 0);
	CHECK(nvtxRangePop() == 0);
	CHECK(nvtxRangePop() < 0);
	id = nvtxDomainRangeStartEx(domain, &event);
	nvtxMarkA("here");
	nvtxDomainRangeEnd(domain, id);
}

static void ranges_body(void)
{
	uint32_t begun = CUPTI_ACTIVITY_FLAG_MARKER_START, ended = CUPTI_ACTIVITY_FLAG_MARKER_END;

	/* The object that is linked: what an environment names is loaded once. */
	setenv("NVTX_INJECTION64_PATH", STAND_IN_CUPTI, 1);
	CHECK(cuptiActivityRegisterCallbacks(request, complete) == CUPTI_SUCCESS);
	CHECK(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MARKER) == CUPTI_SUCCESS);
	CHECK(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MARKER_DATA) == CUPTI_SUCCESS);
	make_ranges();
	CHECK(cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED) == CUPTI_SUCCESS);
	CHECK(got.nmarkers == 9 && got.ndata == 5);
	CHECK(marker(0, begun, "outer", "ours")->id == marker(4, ended, NULL, "ours")->id);
	CHECK(marker(1, begun, "inner", "ours")->id == marker(3, ended, NULL, "ours")->id);
	CHECK(marker(2, begun, "other", NULL)->id == marker(5, ended, NULL, NULL)->id);
	CHECK(marker(6, begun, "kept", "ours")->id == marker(8, ended, NULL, "ours")->id);
	CHECK(marker(7, CUPTI_ACTIVITY_FLAG_MARKER_INSTANTANEOUS, "here", NULL)->timestamp > got.markers[0].timestamp);
	CHECK(got.data[1].id == got.markers[1].id && got.data[1].color == 0xff0072b2);
	CHECK(got.data[1].payloadKind == CUPTI_METRIC_VALUE_KIND_INT64 && got.data[1].payload.metricValueInt64 == 1);
	CHECK(got.data[2].payloadKind == CUPTI_METRIC_VALUE_KIND_UINT64 && got.data[2].flags == 0);
}

static void nvtx_ranges_are_markers(void **state)
{
	(void)state;
	assert_int_equal(status_with("devices=1", ranges_body), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nvtx_ranges_are_markers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
