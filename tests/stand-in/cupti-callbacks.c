/* cupti-callbacks.c: the callbacks of the stand-in's CUPTI: calls of the driver, and modules that are loaded. There is
 * one subscriber at a time. */
#include "cupti-records.h"

#include "cuda-parts.h"

enum { DRIVER_IDS = CUPTI_DRIVER_TRACE_CBID_SIZE };

static struct CUpti_Subscriber_st {
	CUpti_CallbackFunc callback;
	void *user;
	bool is_subscribed, wants_modules;
	bool wants_call[DRIVER_IDS];
} subscriber;

void callbacks_module(const CUpti_ResourceData *data)
{
	if (subscriber.is_subscribed && subscriber.wants_modules)
		subscriber.callback(subscriber.user, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_LOADED, data);
}

void callbacks_driver(CUpti_CallbackId id, const char *name, const void *params, const char *symbol, CUresult *result)
{
	const CUpti_CallbackData data = {.callbackSite = result == NULL ? CUPTI_API_ENTER : CUPTI_API_EXIT,
		.functionName = name,
		.functionParams = params,
		.functionReturnValue = result,
		.symbolName = symbol,
		.context = (CUcontext)(uintptr_t)cuda_context_id()};

	if (subscriber.is_subscribed && subscriber.wants_call[id])
		subscriber.callback(subscriber.user, CUPTI_CB_DOMAIN_DRIVER_API, id, &data);
}

/* ---- CUPTI ---- */

CUptiResult CUPTIAPI cuptiSubscribe(CUpti_SubscriberHandle *out, CUpti_CallbackFunc callback, void *user)
{
	STAND_IN_CALL(CUptiResult);
	if (out == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	if (stand_in()->devices == 0)
		return CUPTI_ERROR_NOT_INITIALIZED;
	if (subscriber.is_subscribed)
		return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
	subscriber = (struct CUpti_Subscriber_st){.callback = callback, .user = user, .is_subscribed = true};
	*out = &subscriber;
	return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiUnsubscribe(CUpti_SubscriberHandle which)
{
	STAND_IN_CALL(CUptiResult);
	if (which != &subscriber || !subscriber.is_subscribed)
		return CUPTI_ERROR_INVALID_PARAMETER;
	subscriber = (struct CUpti_Subscriber_st){0};
	return CUPTI_SUCCESS;
}

/* Other calls and events can be asked for; they never come. */
CUptiResult CUPTIAPI cuptiEnableCallback(
	uint32_t enable, CUpti_SubscriberHandle which, CUpti_CallbackDomain domain, CUpti_CallbackId id)
{
	STAND_IN_CALL(CUptiResult);
	if (which != &subscriber || !subscriber.is_subscribed)
		return CUPTI_ERROR_INVALID_PARAMETER;
	if (domain == CUPTI_CB_DOMAIN_RESOURCE && id < CUPTI_CBID_RESOURCE_SIZE) {
		if (id == CUPTI_CBID_RESOURCE_MODULE_LOADED)
			subscriber.wants_modules = enable != 0;
		return CUPTI_SUCCESS;
	}
	if (domain != CUPTI_CB_DOMAIN_DRIVER_API || id >= DRIVER_IDS)
		return CUPTI_ERROR_INVALID_PARAMETER;
	subscriber.wants_call[id] = enable != 0;
	return CUPTI_SUCCESS;
}
