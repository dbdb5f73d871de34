/* view.c: builds the view: what the parts share, and the parts in their order. */
#include "page/view/view.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tree/anchor.h"
#include "tree/sizes.h"
#include "tree/tree.h"
#include "util/alloc.h"
#include "util/clip.h"
#include "util/format.h"
#include "util/palette.h"
#include "util/strbuf.h"
#include "util/utf8.h"

json_t *view_text(const char *format, ...)
{
	char *raw, *clean;
	json_t *text;
	va_list args;

	va_start(args, format);
	raw = xvasprintf(format, args);
	va_end(args);
	/* A buffer on the way may have cut a character in two. */
	clean = utf8_visible(raw, strlen(raw));
	text = json_string(clean);
	free(clean);
	free(raw);
	return text;
}

void view_put_text(json_t *object, const char *key, const char *value)
{
	put_json(object, key, *value != '\0' ? view_text("%s", value) : json_null());
}

void view_put_list(json_t *object, const char *key, json_t *list)
{
	char has[64];

	snprintf(has, sizeof(has), "has_%s", key);
	put_json(object, has, json_boolean(json_array_size(list) > 0));
	put_json(object, key, list);
}

void view_put_figure(struct view *view, json_t *object, const char *key, const char *family, const char *what)
{
	char name[FIGURE_NAME_SIZE];
	json_t *svg;

	figure_name(name, sizeof(name), view->number, family, what);
	svg = json_object_get(view->drawn, name);
	put_json(object, key, svg ? json_pack("{s:O}", "svg", svg) : json_null());
}

json_t *view_id(struct view *view, const char *anchor)
{
	char id[ANCHOR_SIZE];
	struct strbuf html = {0};
	json_t *text;

	if (view->number > 0)
		strbuf_printf(&html, "r%zu-", view->number + 1);
	for (const char *c = anchor_of(anchor, id); *c; c++)
		*c == '/' ? strbuf_puts(&html, "--") : strbuf_putc(&html, *c);
	text = json_string(html.text);
	strbuf_free(&html);
	return text;
}

/* Whether a unit begins here. */
static bool is_unit(const char *text)
{
	static const char *const units[] = {
		"%", "ns", "µs", "ms", "s", "B", "KB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB", "MHz"};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		size_t length = strlen(units[i]);

		if (strncmp(text, units[i], length) == 0 && !isalnum((unsigned char)text[length]))
			return true;
	}
	return false;
}

json_t *view_unbroken(const char *text)
{
	struct strbuf out = {0};
	json_t *json;

	for (const char *at = text; *at; at++) {
		if (*at == ' ' && at > text && isdigit((unsigned char)at[-1]) && is_unit(at + 1))
			strbuf_puts(&out, "\u00a0");
		else
			strbuf_putc(&out, *at);
	}
	json = view_text("%s", out.text ? out.text : "");
	strbuf_free(&out);
	return json;
}

void view_put_sentence(json_t *object, const char *key, const char *text)
{
	size_t size = strlen(text);
	struct strbuf out = {0};

	if (size == 0) {
		put_json(object, key, json_null());
		return;
	}
	strbuf_printf(
		&out, "%c%s%s", toupper((unsigned char)*text), text + 1, strchr(".!?", text[size - 1]) ? "" : ".");
	put_json(object, key, view_unbroken(out.text));
	strbuf_free(&out);
}

json_t *view_script_json(const json_t *value)
{
	char *plain = json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(12));
	struct strbuf safe = {0};
	json_t *text;

	/* In JSON a '<' stands only inside strings, so the escape changes nothing but what HTML would see. */
	for (const char *c = plain; *c; c++)
		*c == '<' ? strbuf_puts(&safe, "\\u003c") : strbuf_putc(&safe, *c);
	text = json_string(safe.text);
	free(plain);
	strbuf_free(&safe);
	return text;
}

void view_put_palette(json_t *page)
{
	json_t *palette = json_object(), *light = json_object(), *dark = json_object();

#define PUT_COLOR(name, text, color) put_json(palette, text, view_text("#%06x", (unsigned)(color)));
#define PUT_INK(name, text, marker, of_light, of_dark)                                                                 \
	put_json(light, text, json_string(of_light));                                                                  \
	put_json(dark, text, json_string(of_dark));
	PALETTE_COLORS(PUT_COLOR)
	PALETTE_INKS(PUT_INK)
#define PUT_SHADE(text, of_light, of_dark) PUT_INK(, text, , of_light, of_dark)
	PALETTE_SHADES(PUT_SHADE)
#undef PUT_SHADE
#undef PUT_COLOR
#undef PUT_INK
	put_json(palette, "light", light);
	put_json(palette, "dark", dark);
	put_json(page, "palette", palette);
}

json_t *view_failures(const json_t *contrast)
{
	const json_t *evidence = json_object_get(contrast, "evidence");
	char text[1024] = "";

	for (size_t i = 0; i < json_array_size(evidence); i++) {
		const json_t *check = json_array_get(evidence, i);

		if (json_is_false(json_object_get(check, "ok")))
			clip_append(text, sizeof(text), "%s%s", *text ? "; " : "",
				tree_has(check, "failure") ? tree_text(check, "failure") : tree_text(check, "name"));
	}
	return *text ? view_text("%s", text) : json_null();
}

void view_put_verdict(json_t *object, const json_t *contrast)
{
	const struct size *size = size_of(contrast);
	json_t *verdict = json_object();

	put_json(verdict, "word", view_text("%s", size->word));
	put_json(verdict, "class", view_text("%s", size->id));
	put_json(verdict, "sign", view_text("%s", size->sign));
	put_json(verdict, "failed", view_failures(contrast));
	put_json(object, "verdict", verdict);
}

void view_put_speedup(json_t *object, const json_t *contrast)
{
	const json_t *speedup = json_object_get(contrast, "speedup");
	double low = tree_real(speedup, "low"), high = tree_real(speedup, "high");
	double band = tree_real(contrast, "band");
	json_t *out;

	if (!isfinite(tree_real(speedup, "value"))) {
		put_json(object, "speedup", json_null());
		return;
	}
	out = json_object();
	put_json(out, "value", view_ratio_within(tree_real(speedup, "value"), low, high, band));
	put_json(out, "interval", isfinite(low) ? view_interval(low, high, band) : json_null());
	put_json(out, "blocks", view_count(tree_real(speedup, "blocks")));
	put_json(out, "runs", tree_real(speedup, "runs") > 1 ? view_count(tree_real(speedup, "runs")) : json_null());
	put_json(object, "speedup", out);
}

char *view_settings(const struct view *view, char *text)
{
	const char *settings = tree_text(view->recording, "settings");

	*text = '\0';
	while (*settings != '\0') {
		int length = (int)strcspn(settings, " ");

		clip_append(text, VIEW_SETTINGS_SIZE, " --set=%.*s", length, settings);
		settings += length;
		settings += strspn(settings, " ");
	}
	return text;
}

void view_pass_reason(const struct view *view, const char *family, const char *pass, char *text, size_t size)
{
	const json_t *passes = json_object_get(view->recording, "passes");

	snprintf(text, size, "the %s pass was not run", pass);
	for (size_t i = 0; i < json_array_size(passes); i++) {
		const json_t *row = json_array_get(passes, i);
		const char *status = tree_text(row, "status"), *reason = tree_text(row, "reason");

		if (strcmp(tree_text(row, "family"), family) != 0 || strcmp(tree_text(row, "pass"), pass) != 0)
			continue;
		if (strcmp(status, "done") == 0)
			snprintf(text, size, "%s", "");
		else
			snprintf(text, size, "the %s pass %s%s%s", pass,
				strcmp(status, "skipped") == 0 ? "was skipped" : status, *reason ? ": " : "", reason);
	}
}

void view_put_refusal(struct view *view, json_t *object, const char *key, const char *family, const char *pass)
{
	const json_t *passes = json_object_get(view->recording, "passes");
	char reason[512] = "";

	for (size_t i = 0; i < json_array_size(passes); i++) {
		const json_t *row = json_array_get(passes, i);

		if (strcmp(tree_text(row, "family"), family) == 0 && strcmp(tree_text(row, "pass"), pass) == 0)
			view_pass_reason(view, family, pass, reason, sizeof(reason));
	}
	view_put_sentence(object, key, reason);
}

const json_t *view_headline(const json_t *family)
{
	return tree_find_true(json_object_get(family, "contrasts"), "headline");
}

static json_t *view_view_recording_view(struct view *view)
{
	const json_t *recording = view->recording;
	json_t *page = json_object();

	put_json(page, "r", view->number > 0 ? view_text("r%zu-", view->number + 1) : json_string(""));
	put_json(page, "first", json_boolean(view->first));
	view_head(view, page);
	view_families(view, page);
	view_overview(view, page);
	view_claims(view, page);
	view_prediction(view, page);
	view_advice(view, page);
	view_program(view, page);
	put_json(page, "empty",
		json_boolean(
			json_array_size(json_object_get(recording, "families")) == 0 && !tree_has(page, "program")));
	return page;
}

/* Which words the page explains depends on what it shows. */
static void put_kinds(json_t *page, const json_t *recordings)
{
	bool families = false, programs = false;

	for (size_t r = 0; r < json_array_size(recordings); r++) {
		const json_t *recording = json_array_get(recordings, r);

		families = families || json_array_size(json_object_get(recording, "families")) > 0;
		programs = programs || json_is_object(json_object_get(recording, "program"));
	}
	put_json(page, "has_families", json_boolean(families));
	put_json(page, "has_programs", json_boolean(programs));
}

/* Style sheets have a class for each length of a bar: an element's own style is nothing that a page should need. */
static void put_widths(json_t *page)
{
	json_t *widths = json_array();

	for (int i = 0; i <= 100; i++)
		append_json(widths, view_text("%d", i));
	put_json(page, "widths", widths);
}

/* The page around the recordings. */
static void frame(json_t *page, const struct view_input *input)
{
	put_json(page, "id", view_text("%s", tree_text(input->model, "id")));
	view_put_palette(page);
	put_widths(page);
	put_json(page, "generator", view_text("%s", tree_text(input->model, "generator")));
	put_kinds(page, json_object_get(input->model, "recordings"));
	view_put_text(page, "beside", tree_text(input->model, "beside"));
	view_counter_meanings(page, json_object_get(input->model, "recordings"));
	put_json(page, "has_figures", json_boolean(json_object_size(input->drawn) > 0));
	put_json(page, "exports", input->exports ? json_deep_copy(input->exports) : json_array());
}

json_t *view_build(const struct view_input *input)
{
	const json_t *recordings = json_object_get(input->model, "recordings");
	struct view view = {.drawn = input->drawn, .several = json_array_size(recordings) > 1};
	json_t *page = json_object(), *list = json_array();

	view_several(page, input->model);
	view.first = !tree_has(page, "several");
	for (size_t r = 0; r < json_array_size(recordings); r++) {
		view.number = r;
		view.recording = json_array_get(recordings, r);
		if (!tree_is_detailed(view.recording))
			continue;
		append_json(list, view_view_recording_view(&view));
		view.first = false;
	}
	put_json(page, "recordings", list);
	frame(page, input);
	return page;
}
