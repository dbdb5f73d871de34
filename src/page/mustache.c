/* mustache.c: renders a parsed template; see mustache.h. */
#include "page/mustache.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page/mustache-parse.h"
#include "util/strbuf.h"

enum { MAX_DEPTH = 200 }; /* of sections and partials inside each other: only a partial without end gets there */

struct renderer {
	struct strbuf out;
	mustache_loader *load;
	void *user;
	struct template *templates; /* all that were needed */
	int depth;
	struct error *err;
};

/* The values that a name is looked up in, innermost first. */
struct context {
	const json_t *value;
	const struct context *outer;
};

static int render_parts(
	struct renderer *r, const struct template *t, size_t from, size_t to, const struct context *context);

/* ---- looking up ---- */

static const json_t *mustache_look_up(const struct part *part, const struct context *context)
{
	const char *step = part->text;
	const json_t *value = NULL;

	if (part->steps == 0)
		return context->value;
	for (; context && !value; context = context->outer)
		value = json_object_get(context->value, step); /* NULL for what is no object */
	for (int i = 1; i < part->steps && value; i++) {
		step += strlen(step) + 1;
		value = json_object_get(value, step);
	}
	return value;
}

static bool is_truthy(const json_t *value)
{
	if (!value || json_is_null(value) || json_is_false(value))
		return false;
	return !json_is_array(value) || json_array_size(value) > 0;
}

/* ---- writing ---- */

static const char *entity(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

static void write_text(struct strbuf *out, const char *text, size_t size, bool escape)
{
	size_t done = 0;

	for (size_t i = 0; i < size; i++) {
		/* The result is a C string, and HTML has no NUL: U+FFFD stands for it. */
		const char *instead = text[i] == '\0' ? "\xEF\xBF\xBD" : escape ? entity(text[i]) : NULL;

		if (!instead)
			continue;
		strbuf_add(out, text + done, i - done);
		strbuf_puts(out, instead);
		done = i + 1;
	}
	strbuf_add(out, text + done, size - done);
}

/* As few digits as give the same number back. */
static void write_real(struct strbuf *out, double x)
{
	char text[32];

	for (int digits = 1; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, x);
		if (strtod(text, NULL) == x)
			break;
	}
	strbuf_puts(out, text);
}

/* The name as it stands in the template. */
static void mustache_name_of(const struct part *part, char *name, size_t size)
{
	const char *step = part->text;

	snprintf(name, size, "%s", step);
	for (int i = 1; i < part->steps; i++) {
		size_t used = strlen(name);

		step += strlen(step) + 1;
		snprintf(name + used, size - used, ".%s", step);
	}
}

static int refuse_value(struct renderer *r, const struct template *t, const struct part *part, const json_t *value)
{
	char name[128];

	mustache_name_of(part, name, sizeof(name));
	return error_set(r->err, "%s:%d: {{%s}} is %s, not text: use a section", t->name, part->line, name,
		json_is_array(value) ? "a list" : "an object");
}

static int render_value(
	struct renderer *r, const struct template *t, const struct part *part, const struct context *context)
{
	const json_t *value = mustache_look_up(part, context);

	if (!value)
		return 0;
	switch (json_typeof(value)) {
	case JSON_STRING:
		write_text(&r->out, json_string_value(value), json_string_length(value), part->type == PART_VALUE);
		return 0;
	case JSON_INTEGER:
		strbuf_printf(&r->out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
		return 0;
	case JSON_REAL:
		write_real(&r->out, json_real_value(value));
		return 0;
	case JSON_TRUE:
	case JSON_FALSE:
		strbuf_puts(&r->out, json_is_true(value) ? "true" : "false");
		return 0;
	case JSON_NULL:
		return 0;
	default:
		return refuse_value(r, t, part, value);
	}
}

/* ---- templates ---- */

static struct template *get_template(struct renderer *r, const char *name, const char *indent, size_t indent_size)
{
	struct template *t;
	char *text;

	for (t = r->templates; t; t = t->next)
		if (strcmp(t->name, name) == 0 && strlen(t->indent) == indent_size &&
			memcmp(t->indent, indent, indent_size) == 0)
			return t;
	text = r->load(r->user, name, r->err);
	if (!text)
		return NULL;
	t = template_parse(name, text, indent, indent_size, r->err);
	free(text);
	if (t) {
		t->next = r->templates;
		r->templates = t;
	}
	return t;
}

static void free_templates(struct template *t)
{
	while (t) {
		struct template *next = t->next;

		template_free(t);
		t = next;
	}
}

/* ---- rendering ---- */

static int render_partial(
	struct renderer *r, const struct template *t, const struct part *part, const struct context *context)
{
	const char *indent = part->indent ? part->indent : "";
	const struct template *partial = get_template(r, part->text, indent, part->indent_size);

	if (!partial)
		return error_prefix(r->err, "%s:%d: {{>%s}}", t->name, part->line, part->text);
	return render_parts(r, partial, 0, partial->nparts, context);
}

static int render_section(struct renderer *r, const struct template *t, size_t at, const struct context *context)
{
	const struct part *part = &t->parts[at];
	const json_t *value = mustache_look_up(part, context);
	struct context inner = {value, context};

	if (is_truthy(value) == (part->type == PART_INVERTED))
		return 0;
	if (part->type == PART_INVERTED)
		return render_parts(r, t, at + 1, part->end, context);
	if (!json_is_array(value))
		return render_parts(r, t, at + 1, part->end, &inner);
	for (size_t i = 0; i < json_array_size(value); i++) {
		inner.value = json_array_get(value, i);
		if (render_parts(r, t, at + 1, part->end, &inner))
			return -1;
	}
	return 0;
}

static int render_part(struct renderer *r, const struct template *t, size_t at, const struct context *context)
{
	const struct part *part = &t->parts[at];

	switch (part->type) {
	case PART_TEXT:
		strbuf_add(&r->out, part->text, part->size);
		return 0;
	case PART_VALUE:
	case PART_RAW:
		return render_value(r, t, part, context);
	case PART_SECTION:
	case PART_INVERTED:
		return render_section(r, t, at, context);
	case PART_PARTIAL:
		return render_partial(r, t, part, context);
	default:
		return 0;
	}
}

/* The parts from `from` to before `to`. */
static int render_parts(
	struct renderer *r, const struct template *t, size_t from, size_t to, const struct context *context)
{
	int status = 0;

	if (r->depth == MAX_DEPTH)
		return error_set(r->err,
			"%s:%d: more than %d sections and partials inside each other: a partial without end?", t->name,
			from < t->nparts ? t->parts[from].line : 1, MAX_DEPTH);
	r->depth++;
	for (size_t i = from; i < to && status == 0; i++) {
		status = render_part(r, t, i, context);
		if (t->parts[i].type == PART_SECTION || t->parts[i].type == PART_INVERTED)
			i = t->parts[i].end;
	}
	r->depth--;
	return status;
}

char *mustache_render(const char *name, mustache_loader *load, void *user, const json_t *view, struct error *err)
{
	struct renderer r = {.load = load, .user = user, .err = err};
	struct context context = {view, NULL};
	const struct template *t;
	int status;

	t = get_template(&r, name, "", 0);
	status = !t ? -1 : render_parts(&r, t, 0, t->nparts, &context);
	free_templates(r.templates);
	if (status == 0)
		return strbuf_take(&r.out);
	strbuf_free(&r.out);
	return NULL;
}
