/* nvtx.c: see nvtx.h. */
#include "record/worker/nvtx.h"

#include <stdio.h>

#include <nvtx3/nvToolsExt.h>

#include "util/palette.h"

static nvtxDomainHandle_t domain;

static uint32_t color_of(const struct variant *variant)
{
	return palette_of_variant(variant->kind == VARIANT_CANDIDATE, variant->buffers, COLOR_RANGE_OTHER);
}

void nvtx_open(void)
{
	domain = nvtxDomainCreateA("dbprof");
}

static void nvtx_push(const char *text, uint32_t color, const int *payload)
{
	nvtxEventAttributes_t range = {
		.version = NVTX_VERSION,
		.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
		.colorType = NVTX_COLOR_ARGB,
		.color = 0xff000000u | color, /* opaque */
		.messageType = NVTX_MESSAGE_TYPE_ASCII,
		.message.ascii = text,
	};

	if (payload) {
		range.payloadType = NVTX_PAYLOAD_TYPE_INT64;
		range.payload.llValue = *payload;
	}
	nvtxDomainRangePushEx(domain, &range);
}

void nvtx_push_family(const struct family *family)
{
	nvtx_push(family->name, COLOR_RANGE_FAMILY, NULL);
}

void nvtx_push_variant(const struct family *family, const struct variant *variant)
{
	char text[256];

	snprintf(text, sizeof(text), "%s/%s", family->name, variant->name);
	nvtx_push(text, color_of(variant), NULL);
}

void nvtx_push_iteration(enum pass pass, const struct variant *variant, const char *label, int iteration)
{
	char text[256];

	snprintf(text, sizeof(text), "%s %s %d", pass_name(pass), label, iteration);
	nvtx_push(text, color_of(variant), &iteration);
}

void nvtx_pop(void)
{
	nvtxDomainRangePop(domain);
}
