/* trace.c: see trace.h. */
#include "model/trace/trace.h"

#include <stdlib.h>

#include "store/texts.h"

const char *trace_text(struct trace *trace, const char *text)
{
	return texts_keep(trace->texts, text);
}

const char *trace_name(struct trace *trace, const struct cursor *row, int column, const char *otherwise)
{
	return texts_column(trace->texts, row, column, otherwise);
}

void trace_begin(struct trace *trace)
{
	*trace = (struct trace){.texts = texts_new()};
}

void trace_free(struct trace *trace)
{
	free(trace->work);
	free(trace->by_call);
	free(trace->ranges);
	devices_free(&trace->devices);
	texts_free(trace->texts);
	*trace = (struct trace){0};
}
