/* event.c: see event.h. */
#include "export/trace/event.h"

#include <math.h>

#include "export/trace/form.h"

void arg_int(struct export *ex, struct strbuf *args, const char *key, int64_t number)
{
	trace_of(ex)->form->arg_int(ex, args, key, number);
}

void arg_text(struct export *ex, struct strbuf *args, const char *key, const char *string)
{
	if (string && *string)
		trace_of(ex)->form->arg_text(ex, args, key, string);
}

void arg_real(struct export *ex, struct strbuf *args, const char *key, double number)
{
	if (isfinite(number))
		trace_of(ex)->form->arg_real(ex, args, key, number);
}
