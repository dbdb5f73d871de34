/* no-cupti.c: what the runtime tells CUPTI of, where no part of CUPTI is there to hear it. */
#include "stand-in.h"

__attribute__((weak)) uint32_t stand_in_call_begin(const char *call)
{
	(void)call;
	return 1;
}

__attribute__((weak)) void stand_in_work_done(const struct stand_in_work *work)
{
	(void)work;
}

__attribute__((weak)) void stand_in_call_end(uint32_t correlation, int code)
{
	(void)correlation;
	(void)code;
}

__attribute__((weak)) void stand_in_waited(uint32_t context, uint32_t stream, int type, uint64_t start, uint64_t end)
{
	(void)context;
	(void)stream;
	(void)type;
	(void)start;
	(void)end;
}
