/* svg-style.c: colours, fonts and numbers of a figure; see svg-tree.h. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "figure/svg/svg-tree.h"
#include "util/palette.h"

/* The colours that plots use for ink: what they stand for, and what that is in a file of its own. */
static const struct marker {
	long color;
	const char *variable, *light, *dark;
} markers[] = {
#define PALETTE_MARKER(name, text, marker, light, dark) {marker, "--" text, light, dark},
	PALETTE_INKS(PALETTE_MARKER)
#undef PALETTE_MARKER
};

enum { MARKERS = sizeof(markers) / sizeof(*markers) };

static const char *const color_attributes[] = {"fill", "stroke", "color", "flood-color", "stop-color"};

enum { COLOR_ATTRIBUTES = sizeof(color_attributes) / sizeof(*color_attributes) };

static bool listed(const char *const *list, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(list[i], name) == 0)
			return true;
	return false;
}

static bool svg_style_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* ---- colours ---- */

/* "#RRGGBB", "rgb( R, G, B)" or "black" as a number; -1 for anything else. */
static long color_number(const char *text)
{
	long part[3];
	char *end;

	if (strcasecmp(text, "black") == 0)
		return 0;
	if (text[0] == '#' && strlen(text) == 7) {
		part[0] = strtol(text + 1, &end, 16);
		return *end == '\0' ? part[0] : -1;
	}
	if (strncmp(text, "rgb(", 4) != 0)
		return -1;
	text += 4;
	for (int i = 0; i < 3; i++) {
		part[i] = strtol(text, &end, 10);
		if (end == text || part[i] < 0 || part[i] > 255)
			return -1;
		text = end + strspn(end, " ");
		if (*text++ != (i < 2 ? ',' : ')'))
			return -1;
	}
	return *text == '\0' ? part[0] << 16 | part[1] << 8 | part[2] : -1;
}

static void style_color(struct tree *tree, struct node *node, struct attribute *a, bool standalone)
{
	long color = color_number(a->value);
	char *value = NULL;

	if (color < 0)
		return;
	if (color == 0)
		color = COLOR_INK; /* gnuplot's own default */
	for (int i = 0; i < MARKERS && !value; i++) {
		if (markers[i].color != color)
			continue;
		value = standalone ? tree_print(tree, "%s", markers[i].light)
				   : tree_print(tree, "var(%s)", markers[i].variable);
	}
	if (!value)
		value = tree_print(tree, "#%06lx", color);
	attribute_set(tree, node, a->name, value);
}

const char *svg_style_sheet(struct tree *tree)
{
	const char *light = "", *dark = "", *rules = "";

	for (int i = 0; i < MARKERS; i++) {
		const struct marker *m = &markers[i];

		light = tree_print(tree, "%s%s:%s;", light, m->variable, m->light);
		dark = tree_print(tree, "%s%s:%s;", dark, m->variable, m->dark);
		/* Attributes hold the light colours, for viewers that know no variables. */
		for (int j = 0; j < COLOR_ATTRIBUTES; j++)
			rules = tree_print(tree, "%s[%s='%s']{%s:var(%s)}", rules, color_attributes[j], m->light,
				color_attributes[j], m->variable);
	}
	return tree_print(tree,
		":root{%sbackground:var(--paper);"
		"font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif}"
		"svg svg path{vector-effect:non-scaling-stroke}"
		"@media screen and (prefers-color-scheme:dark){:root{%s}}%s",
		light, dark, rules);
}

/* ---- style attributes ---- */

/* `property:value;` pairs become attributes, which the later steps understand. */
static void spread_style(struct tree *tree, struct node *node)
{
	const char *at = attribute_get(node, "style");

	attribute_drop(node, "style");
	while (at && *at != '\0') {
		size_t size, name_size;
		char *name, *value;
		const char *next;

		at += strspn(at, " \t\r\n;");
		size = strcspn(at, ";");
		next = at + size;
		while (size > 0 && svg_style_is_blank(at[size - 1]))
			size--;
		name_size = strcspn(at, ":; \t");
		name = tree_copy(tree, at, name_size);
		value = tree_copy(tree, at, size);
		at = next;
		if (name_size == 0 || !strchr(value, ':'))
			continue;
		value = strchr(value, ':') + 1;
		attribute_set(tree, node, name, value + strspn(value, " \t"));
	}
}

/* ---- numbers ---- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Copies the number at `from` without the zeros that end its fraction. Moves both on. */
static void copy_number(char **to, const char **from)
{
	const char *end = *from, *stop;

	while (is_digit(*end))
		end++;
	stop = end;
	if (*end == '.' && is_digit(end[1])) {
		for (end++; is_digit(*end); end++)
			if (*end != '0')
				stop = end + 1;
	}
	if (stop == *from)
		stop += 2; /* of ".00", which needs one digit */
	memmove(*to, *from, (size_t)(stop - *from));
	*to += stop - *from;
	*from = end;
}

/* Shortens, in place, numbers and the white space between them. */
static void shorten_numbers(char *value)
{
	const char *from = value;
	char *to = value;

	while (*from != '\0') {
		if (is_digit(*from) || (*from == '.' && is_digit(from[1]))) {
			copy_number(&to, &from);
		} else if (svg_style_is_blank(*from)) {
			while (svg_style_is_blank(*from))
				from++;
			if (to > value && *from != '\0')
				*to++ = ' ';
		} else {
			*to++ = *from++;
		}
	}
	*to = '\0';
}

static bool in_number(char c)
{
	return is_digit(c) || c == '.';
}

/* Drops, in place, the spaces that path data do not need and the L of each further line. */
static void shorten_path(char *value)
{
	char *to = value, command = '\0';

	for (const char *from = value; *from != '\0'; from++) {
		bool letter = (*from >= 'A' && *from <= 'Z') || (*from >= 'a' && *from <= 'z');

		if (*from == ' ' && !(in_number(from[1]) && to > value && in_number(to[-1])))
			continue;
		if (*from == 'L' && (command == 'L' || command == 'M')) {
			from += from[1] == ' ';
			if (in_number(from[1]))
				*to++ = ' ';
			command = 'L';
			continue;
		}
		if (letter && *from != 'e')
			command = *from;
		*to++ = *from;
	}
	*to = '\0';
}

/* ---- all of it ---- */

static void style_attribute(struct tree *tree, struct node *node, struct attribute *a, bool standalone)
{
	static const char *const numeric[] = {"d", "points", "transform", "x", "y", "width", "height", "cx", "cy", "r",
		"x1", "y1", "x2", "y2", "dx", "dy", "font-size", "stroke-width", "opacity", "fill-opacity",
		"stroke-opacity", "stroke-dasharray"};

	if (listed(color_attributes, COLOR_ATTRIBUTES, a->name))
		style_color(tree, node, a, standalone);
	else if (listed(numeric, sizeof(numeric) / sizeof(*numeric), a->name))
		shorten_numbers(a->value);
	if (strcmp(a->name, "d") == 0)
		shorten_path(a->value);
}

void svg_style(struct tree *tree, bool standalone)
{
	for (struct node *node = tree->root; node; node = node_after(node, tree->root)) {
		spread_style(tree, node);
		attribute_drop(node, "font-family");
		for (struct attribute *a = node->attributes; a; a = a->next)
			style_attribute(tree, node, a, standalone);
	}
}
