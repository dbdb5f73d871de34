/* json.c: see json.h. The events of a lane come by start, an outer one before those in it; the file as a whole is in no
 * order of time. */
#include "export/trace/json.h"

#include <stdio.h>
#include <string.h>

#include "export/state.h"
#include "export/text.h"

static void json_begin(struct export *ex)
{
	strbuf_puts(&ex->text, "{\"traceEvents\":[\n");
}

/* Process, thread (0: the process as a whole) and time stamp of an event. */
static void put_place(struct strbuf *text, int pid, int tid, int64_t ts)
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

/* ---- names of processes and threads ---- */

/* A name and where it is sorted; `what` is "process" or "thread". */
static void put_metadata(struct strbuf *text, const char *what, int pid, int tid, const char *name, int order)
{
	char head[160];

	snprintf(head, sizeof(head),
		"{\"ph\":\"M\",\"name\":\"%s_name\",\"pid\":%d,\"tid\":%d,\"args\":{\"name\":", what, pid, tid);
	strbuf_puts(text, head);
	text_quoted(text, name);
	snprintf(head, sizeof(head),
		"}},\n{\"ph\":\"M\",\"name\":\"%s_sort_index\",\"pid\":%d,\"tid\":%d,\"args\":{\"sort_index\":%d}},\n",
		what, pid, tid, order);
	strbuf_puts(text, head);
}

static void json_group(struct export *ex, struct group *group, const char *name, int order)
{
	put_metadata(&ex->text, "process", group->pid, 0, name, order);
}

static void json_lane(struct export *ex, const struct track *track, int lane, const char *name, int order)
{
	put_metadata(&ex->text, "thread", track->group->pid, track->lanes[lane].tid, name, order);
}

/* ---- arguments ---- */

/* Begins an argument, behind an opening brace or a comma. */
static void arg_begin(struct strbuf *text, const char *key)
{
	strbuf_puts(text, text->length > 0 && text->text[text->length - 1] == '{' ? "\"" : ",\"");
	strbuf_puts(text, key);
	strbuf_puts(text, "\":");
}

static void json_arg_int(struct export *ex, struct strbuf *args, const char *key, int64_t number)
{
	(void)ex;
	arg_begin(args, key);
	text_int(args, number);
}

static void json_arg_real(struct export *ex, struct strbuf *args, const char *key, double number)
{
	(void)ex;
	arg_begin(args, key);
	text_real(args, number);
}

static void json_arg_text(struct export *ex, struct strbuf *args, const char *key, const char *string)
{
	(void)ex;
	arg_begin(args, key);
	text_quoted(args, string);
}

/* ---- events ---- */

static void json_head(struct export *ex, struct strbuf *body, int64_t start, const char *name, const char *category)
{
	(void)ex;
	(void)start;
	strbuf_puts(body, "\"name\":");
	text_quoted(body, name);
	strbuf_puts(body, ",\"cat\":");
	text_quoted(body, category);
}

static void put_head(struct strbuf *text, const char *phase, const struct slice *slice)
{
	strbuf_puts(text, phase);
	strbuf_add(text, slice->head, slice->head_size);
}

static void put_args(struct strbuf *text, const struct slice *slice)
{
	/* The first one has a comma too. */
	size_t comma = slice->args_size > 0;

	strbuf_puts(text, ",\"args\":{");
	strbuf_add(text, slice->args + comma, slice->args_size - comma);
	strbuf_puts(text, "}},\n");
}

/* One end of an arrow, bound to the slice that was written just before it. */
static void put_flow(struct strbuf *text, const struct slice *slice, int tid)
{
	strbuf_puts(text, slice->flow_phase == 's' ? "{\"ph\":\"s\"" : "{\"ph\":\"f\",\"bp\":\"e\"");
	strbuf_puts(text, ",\"name\":\"launch\",\"cat\":\"launch\",\"id\":");
	text_int(text, slice->flow);
	put_place(text, slice->track->group->pid, tid, slice->start);
	strbuf_puts(text, "},\n");
}

static void put_nested(struct strbuf *text, const struct slice *slice, int tid)
{
	put_head(text, "{\"ph\":\"X\",", slice);
	put_place(text, slice->track->group->pid, tid, slice->start);
	strbuf_puts(text, ",\"dur\":");
	text_us(text, slice->end - slice->start);
	put_args(text, slice);
	if (slice->flow >= 0)
		put_flow(text, slice, tid);
}

static void put_mark(struct strbuf *text, const struct slice *slice, int tid)
{
	put_head(text, "{\"ph\":\"i\",\"s\":\"t\",", slice);
	put_place(text, slice->track->group->pid, tid, slice->start);
	put_args(text, slice);
}

/* A begin and an end of an asynchronous event, which viewers show in rows of their own. */
static void put_apart(struct strbuf *text, const struct slice *slice, int tid, int64_t number)
{
	char id[48];

	snprintf(id, sizeof(id), ",\"id\":\"0x%llx\"", (unsigned long long)number);
	put_head(text, "{\"ph\":\"b\",", slice);
	strbuf_puts(text, id);
	put_place(text, slice->track->group->pid, tid, slice->start);
	put_args(text, slice);
	put_head(text, "{\"ph\":\"e\",", slice);
	strbuf_puts(text, id);
	put_place(text, slice->track->group->pid, tid, slice->end);
	strbuf_puts(text, "},\n");
}

static void json_slice(struct export *ex, const struct slice *slice, const struct lane *lane)
{
	if (slice->shape == SLICE_NESTED)
		put_nested(&ex->text, slice, lane->tid);
	else if (slice->shape == SLICE_MARK)
		put_mark(&ex->text, slice, lane->tid);
	else
		put_apart(&ex->text, slice, lane->tid, ++trace_of(ex)->apart);
}

static void json_counter(
	struct export *ex, const struct group *group, const char *name, const char *unit, double value, int64_t time)
{
	struct strbuf *text = &ex->text;

	strbuf_puts(text, "{\"ph\":\"C\",\"name\":");
	text_quoted(text, name);
	put_place(text, group->pid, 0, time);
	strbuf_puts(text, ",\"args\":{");
	text_quoted(text, unit);
	strbuf_puts(text, ":");
	text_real(text, value);
	strbuf_puts(text, "}},\n");
}

static void json_note(struct export *ex, const struct group *group, const struct export_note *note)
{
	struct strbuf *text = &ex->text;

	strbuf_puts(text, "{\"ph\":\"i\",\"s\":\"p\",\"name\":");
	text_quoted(text, note->text);
	strbuf_puts(text, ",\"cat\":\"diagnostic\"");
	put_place(text, group->pid, 0, note->time);
	strbuf_puts(text, ",\"args\":{");
	json_arg_text(ex, text, "severity", note->severity);
	strbuf_puts(text, "}},\n");
}

/* ---- the end ---- */

static void put_fact(struct strbuf *text, const char *key, const char *string)
{
	if (!string || *string == '\0')
		return;
	arg_begin(text, key);
	text_quoted(text, string);
}

/* The recording's own facts, as text: what viewers show as the trace's information. */
static void put_facts(struct export *ex)
{
	static const char *const keys[] = {
		"dbprof", "created", "command", "driver", "cuda_driver", "cuda_runtime", "cupti"};
	struct strbuf *text = &ex->text;
	char number[32];

	strbuf_puts(text, "\"otherData\":{");
	put_fact(text, "generator", "dbprof");
	put_fact(text, "generator_version", ex->options->version);
	put_fact(text, "source", store_is_dbprof(ex->store) ? "dbprof recording" : "Nsight Systems export");
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		put_fact(text, keys[i], store_meta(ex->store, keys[i]));
	snprintf(number, sizeof(number), "%zu", ex->result->left_out);
	put_fact(text, "records_without_times_left_out", number);
	snprintf(number, sizeof(number), "%lld", (long long)trace_of(ex)->shift);
	put_fact(text, "session_starts_at_ns", number);
	strbuf_puts(text, "}");
}

/* The unit stands behind the events: versions of Perfetto that found it before them took it for that of the time
 * stamps. */
static void json_end(struct export *ex)
{
	struct strbuf *text = &ex->text;

	/* The last event is followed by no comma. */
	if (text->length >= 2 && strcmp(text->text + text->length - 2, ",\n") == 0)
		text->length -= 2;
	strbuf_puts(text, "\n],\n\"displayTimeUnit\":\"ns\",\n");
	put_facts(ex);
	strbuf_puts(text, "}\n");
}

static void json_free(struct export *ex)
{
	(void)ex;
}

const struct trace_form trace_json = {
	.begin = json_begin,
	.group = json_group,
	.lane = json_lane,
	.head = json_head,
	.arg_int = json_arg_int,
	.arg_real = json_arg_real,
	.arg_text = json_arg_text,
	.slice = json_slice,
	.counter = json_counter,
	.note = json_note,
	.end = json_end,
	.free = json_free,
};
