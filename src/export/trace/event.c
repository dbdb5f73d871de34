/* event.c: see event.h. */
#include "export/trace/event.h"

#include <math.h>
#include <stdbool.h>

#include "export/text.h"

void put_place(struct strbuf *text, int pid, int tid, int64_t ts)
{
	strbuf_puts(text, ",\"pid\":");
	text_int(text, pid);
	if (tid > 0) {
		strbuf_puts(text, ",\"tid\":");
		text_int(text, tid);
	}
	strbuf_puts(text, ",\"ts\":");
	text_us(text, ts);
}

void put_counter(
	struct strbuf *text, const struct group *group, const char *name, const char *unit, double value, int64_t ts)
{
	strbuf_puts(text, "{\"ph\":\"C\",\"name\":");
	text_quoted(text, name);
	put_place(text, group->pid, 0, ts);
	strbuf_puts(text, ",\"args\":{");
	text_quoted(text, unit);
	strbuf_puts(text, ":");
	text_real(text, value);
	strbuf_puts(text, "}},\n");
}

void arg_begin(struct strbuf *text, const char *key)
{
	bool first = text->length == 0 || text->text[text->length - 1] == '{';

	strbuf_puts(text, first ? "\"" : ",\"");
	strbuf_puts(text, key);
	strbuf_puts(text, "\":");
}

void arg_int(struct strbuf *text, const char *key, int64_t number)
{
	arg_begin(text, key);
	text_int(text, number);
}

void arg_text(struct strbuf *text, const char *key, const char *string)
{
	if (!string || !*string)
		return;
	arg_begin(text, key);
	text_quoted(text, string);
}

void arg_real(struct strbuf *text, const char *key, double number)
{
	if (!isfinite(number))
		return;
	arg_begin(text, key);
	text_real(text, number);
}
