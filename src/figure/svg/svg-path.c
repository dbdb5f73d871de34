/* svg-path.c: paths of straight lines in few characters; see svg-tree.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure/svg/svg.h"
#include "figure/svg/svg-tree.h"
#include "util/strbuf.h"

/* A place in tenths of a unit. */
struct place {
	long x, y;
};

/* A path being written: where its pen is, and what the text ends with. */
struct writer {
	struct strbuf text;
	struct place at, start; /* of the piece that is open */
	bool placed;            /* the piece has been begun in the text */
	bool lines;             /* there are lines */
	char command;
};

/* Tenths as a number: "-.5", "12". Parted from the number before it where nothing else does. */
static void write_number(struct strbuf *out, long tenths)
{
	char last = 'm';
	long size = labs(tenths);

	if (out->length > 0)
		last = out->text[out->length - 1];
	if (tenths < 0)
		strbuf_putc(out, '-');
	else if (last >= '0' && last <= '9')
		strbuf_putc(out, ' ');
	if (size >= 10 || size == 0)
		strbuf_printf(out, "%ld", size / 10);
	if (size % 10 != 0)
		strbuf_printf(out, ".%ld", size % 10);
}

static void write_command(struct writer *w, char command)
{
	/* What follows a move is a line by itself, but then of the same kind: relative, with two numbers. */
	if (command == w->command || (command == 'l' && w->command == 'm'))
		return;
	strbuf_putc(&w->text, command);
	w->command = command;
}

/* Begins the piece: only when a line follows, for a move alone draws nothing. */
static void path_begin(struct writer *w, struct place from)
{
	bool first = w->text.length == 0;

	if (w->placed)
		return;
	w->command = '\0';
	strbuf_putc(&w->text, first ? 'M' : 'm');
	write_number(&w->text, first ? w->start.x : w->start.x - from.x);
	write_number(&w->text, first ? w->start.y : w->start.y - from.y);
	w->command = first ? '\0' : 'm';
	w->placed = true;
}

static void path_move(struct writer *w, struct place to)
{
	w->start = to;
	w->placed = false;
}

/* `from` is where the pen was left by what is in the text. */
static void path_line(struct writer *w, struct place to)
{
	struct place pen = w->placed ? w->at : w->start;
	long dx = to.x - pen.x, dy = to.y - pen.y;

	w->lines = true;
	if (dx == 0 && dy == 0 && w->placed)
		return;
	path_begin(w, w->at);
	if (dy == 0) {
		write_command(w, 'h');
		write_number(&w->text, dx);
	} else if (dx == 0) {
		write_command(w, 'v');
		write_number(&w->text, dy);
	} else {
		write_command(w, 'l');
		write_number(&w->text, dx);
		write_number(&w->text, dy);
	}
	w->at = to;
}

static bool read_pair(const char **at, double number[2])
{
	for (int i = 0; i < 2; i++) {
		char *end;

		*at += strspn(*at, " ,\t\r\n");
		number[i] = strtod(*at, &end);
		if (end == *at || !(fabs(number[i]) < 1e6))
			return false;
		*at = end;
	}
	return true;
}

static bool read_place(const char **at, struct place *place)
{
	double number[2];

	if (!read_pair(at, number))
		return false;
	*place = (struct place){lround(10 * number[0]), lround(10 * number[1])};
	return true;
}

/* False where the path has more than moves, lines and ends. */
static bool path_rewrite(const char *d, struct writer *w)
{
	char command = '\0';

	for (d += strspn(d, " ,\t\r\n"); *d != '\0'; d += strspn(d, " ,\t\r\n")) {
		struct place to;

		if (*d == 'M' || *d == 'L') {
			command = *d++;
		} else if (*d == 'Z' || *d == 'z') {
			d++;
			command = '\0';
			if (w->placed)
				strbuf_putc(&w->text, 'z');
			w->at = w->placed ? w->start : w->at;
			w->command = 'z';
			continue;
		}
		if (!strchr("ML", command) || command == '\0' || !read_place(&d, &to))
			return false;
		if (command == 'M')
			path_move(w, to);
		else
			path_line(w, to);
		command = 'L';
	}
	return true;
}

/* gnuplot writes two decimals: a dot may be longer or shorter by the last one. */
static bool is_dot(const double from[2], const double to[2])
{
	return fabs(to[0] - from[0] - SVG_DOT) < 0.015 && fabs(to[1] - from[1]) < 0.005;
}

static bool reads_command(const char **at, char command)
{
	*at += strspn(*at, " ,\t\r\n");
	if (**at != command)
		return false;
	++*at;
	return true;
}

/* By length alone a bar of nearly no length would be a dot as large as it is thick. */
static bool is_all_dots(const char *d)
{
	double from[2], to[2];
	bool any = false;

	while (reads_command(&d, 'M')) {
		if (!read_pair(&d, from))
			return false;
		reads_command(&d, 'L'); /* svg-style.c may have left it out */
		if (!read_pair(&d, to) || !is_dot(from, to))
			return false;
		any = true;
	}
	return any && d[strspn(d, " ,\t\r\n")] == '\0';
}

/* Of a path that is all dots: each is a line of no length with round ends. */
static void write_dots(const char *d, struct strbuf *out)
{
	struct place last = {0, 0}, to;
	bool first = true;

	for (d = strchr(d, 'M'); d; d = strchr(d, 'M')) {
		d++;
		if (!read_place(&d, &to))
			return;
		strbuf_putc(out, first ? 'M' : 'm');
		write_number(out, to.x - last.x);
		write_number(out, to.y - last.y);
		strbuf_puts(out, "h0");
		last = to;
		first = false;
	}
}

static void shorten_node(struct tree *tree, struct node *node)
{
	const char *d = attribute_get(node, "d");
	struct writer w = {0};

	if (!d || !path_rewrite(d, &w) || !w.lines) {
		strbuf_free(&w.text);
		return;
	}
	if (is_all_dots(d)) {
		strbuf_clear(&w.text);
		write_dots(d, &w.text);
		attribute_set(tree, node, "stroke-linecap", "round");
	}
	attribute_set(tree, node, "d", w.text.text);
	strbuf_free(&w.text);
}

static void polygon_becomes_path(struct tree *tree, struct node *node)
{
	const char *points = attribute_get(node, "points");

	node->name = "path";
	attribute_set(tree, node, "d", tree_print(tree, "M%sZ", points ? points : ""));
	attribute_drop(node, "points");
}

void svg_paths(struct tree *tree)
{
	for (struct node *node = tree->root; node; node = node_after(node, tree->root)) {
		if (node_is(node, "polygon"))
			polygon_becomes_path(tree, node);
		/* A definition may be seen larger than it is. */
		if (node_is(node, "path") && !node_is(node->parent, "defs") && !node_is(node->parent, "pattern"))
			shorten_node(tree, node);
	}
}
