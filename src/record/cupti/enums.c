/* enums.c: see enums.h. */
#include "record/cupti/enums.h"

#include "store/enums.h"

enum { MEM_KIND_UNKNOWN = 7 };

int enum_memory_kind(int cupti)
{
	switch (cupti) {
	case CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE:
		return 0;
	case CUPTI_ACTIVITY_MEMORY_KIND_PINNED:
		return 1;
	case CUPTI_ACTIVITY_MEMORY_KIND_DEVICE:
		return 2;
	case CUPTI_ACTIVITY_MEMORY_KIND_ARRAY:
		return 3;
	case CUPTI_ACTIVITY_MEMORY_KIND_MANAGED:
		return 4;
	case CUPTI_ACTIVITY_MEMORY_KIND_DEVICE_STATIC:
		return 5;
	case CUPTI_ACTIVITY_MEMORY_KIND_MANAGED_STATIC:
		return 6;
	default:
		return MEM_KIND_UNKNOWN;
	}
}

int enum_copy_kind(int cupti)
{
	switch (cupti) {
	case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
		return 1;
	case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
		return 2;
	case CUPTI_ACTIVITY_MEMCPY_KIND_HTOA:
		return 3;
	case CUPTI_ACTIVITY_MEMCPY_KIND_ATOH:
		return 4;
	case CUPTI_ACTIVITY_MEMCPY_KIND_ATOA:
		return 5;
	case CUPTI_ACTIVITY_MEMCPY_KIND_ATOD:
		return 6;
	case CUPTI_ACTIVITY_MEMCPY_KIND_DTOA:
		return 7;
	case CUPTI_ACTIVITY_MEMCPY_KIND_DTOD:
		return 8;
	case CUPTI_ACTIVITY_MEMCPY_KIND_HTOH:
		return 9;
	case CUPTI_ACTIVITY_MEMCPY_KIND_PTOP:
		return 10;
	default:
		return 0;
	}
}

int enum_sync_type(int cupti)
{
	switch (cupti) {
	case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE:
		return 1;
	case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT:
		return 2;
	case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE:
		return 3;
	case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE:
		return 4;
	default:
		return 0;
	}
}

int enum_launch_type(int cupti)
{
	switch (cupti) {
	case CUPTI_ACTIVITY_LAUNCH_TYPE_REGULAR:
		return LAUNCH_REGULAR;
	case CUPTI_ACTIVITY_LAUNCH_TYPE_COOPERATIVE_SINGLE_DEVICE:
		return LAUNCH_COOPERATIVE;
	case CUPTI_ACTIVITY_LAUNCH_TYPE_COOPERATIVE_MULTI_DEVICE:
		return LAUNCH_COOPERATIVE_DEVICES;
	default:
		return LAUNCH_UNKNOWN;
	}
}

const char *enum_overhead_name(int cupti)
{
	switch (cupti) {
	case CUPTI_ACTIVITY_OVERHEAD_DRIVER_COMPILER:
		return "Driver compiler";
	case CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH:
		return "CUPTI Buffer flush";
	case CUPTI_ACTIVITY_OVERHEAD_CUPTI_INSTRUMENTATION:
		return "CUPTI Instrumentation";
	case CUPTI_ACTIVITY_OVERHEAD_CUPTI_RESOURCE:
		return "CUPTI Resource Management";
	case CUPTI_ACTIVITY_OVERHEAD_RUNTIME_TRIGGERED_MODULE_LOADING:
		return "Runtime triggered module loading";
	case CUPTI_ACTIVITY_OVERHEAD_LAZY_FUNCTION_LOADING:
		return "Lazy function loading";
	case CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL:
		return "Command buffer full";
	case CUPTI_ACTIVITY_OVERHEAD_ACTIVITY_BUFFER_REQUEST:
		return "Activity buffer request";
	default:
		return "Unknown";
	}
}
