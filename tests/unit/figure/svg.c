/* svg.c: what becomes of gnuplot's SVG: the same picture, small, with ids and colours of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "figure/svg/svg.h"
#include "fixtures/tier.h"
#include "util/palette.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

#define HEAD "<?xml version=\"1.0\" encoding=\"utf-8\"  standalone=\"no\"?>\n<svg \n viewBox=\"0 0 60 40\"\n>\n"

/* What stands before the picture of every figure of these tests, in a page. */
static const char front[] = "<svg viewBox=\"0 0 60 40\" width=\"100%\" role=\"img\" aria-labelledby=\"f-title\">"
			    "<title id=\"f-title\">T</title>";

static char *rewrite(const char *text, bool standalone)
{
	const struct svg_options options = {.prefix = "f", .title = "T", .standalone = standalone};
	struct error err = {0};
	char *result = svg_rewrite(text, strlen(text), &options, &err);

	if (result == NULL)
		fail_msg("%s", err.text);
	return result;
}

/* `drawing`, put in a picture of 60 by 40, becomes `expected` in a page. */
static void assert_becomes(const char *drawing, const char *expected)
{
	char text[4096], *result;

	snprintf(text, sizeof text, "%s%s</svg>\n", HEAD, drawing);
	result = rewrite(text, false);
	assert_memory_equal(result, front, strlen(front));
	snprintf(text, sizeof text, "%s</svg>", expected);
	assert_string_equal(result + strlen(front), text);
	free(result);
}

static void what_does_not_belong_in_a_page(void **state)
{
	(void)state;
	assert_becomes("<title>Gnuplot</title><desc>Produced by</desc><!-- <g> --><g id=\"c\"><path d=\"M1,1\"/></g>",
		"<path d=\"M1,1\"/>");
	assert_becomes("<script xlink:href='x.js'/><style>a{}</style><foreignObject><p>x</p></foreignObject>"
		       "<path onclick='x()' d=''/>",
		"<path d=\"\"/>");
	assert_becomes("<rect x=\"0\" y=\"0\" width=\"60\" height=\"40\" fill=\"#040404\"/><rect x='0' y='0' "
		       "width='60' height='39'/>",
		"<rect x=\"0\" y=\"0\" width=\"60\" height=\"39\"/>");
	assert_becomes("<image xlink:href='data:image/png;base64,AA=='/><image href='http://x/y.png'/><path "
		       "fill='url(http://x#y)'/>",
		"<image href=\"data:image/png;base64,AA==\"/><image/><path/>");
	assert_becomes(
		"<text font-family=\"Sans\" class='x'><tspan font-family=\"Sans\" >a</tspan></text>", "<text>a</text>");
	assert_becomes("<g id=\"gnuplot_plot_1\" ><title>gnuplot_plot_1</title><path/></g>", "<path/>");
	assert_becomes("<g id=\"gnuplot_plot_1\" ><title>sin</title><path/></g>", "<path/>");
	assert_becomes("<g onmousemove=\"show(evt,'a\"b')\"><title> </title><path/></g>", "<path/>");
}

static void colors(void **state)
{
	static const struct {
		const char *from, *page;
	} samples[] = {
		{"#010101", "var(--ink)"},
		{"rgb(1,1,1)", "var(--ink)"},
		{"rgb(  1,   1,   1)", "var(--ink)"},
		{"black", "var(--ink)"},
		{"rgb(  2,   2,   2)", "var(--ink-2)"},
		{"rgb(3,3,3)", "var(--grid)"},
		{"#040404", "var(--paper)"},
		{"rgb(213,  94,   0)", "#d55e00"},
		{"#D55E00", "#d55e00"},
		{"rgb( 10,   1,   1)", "#0a0101"},
		{"gray", "gray"},
		{"none", "none"},
		{"currentColor", "currentColor"},
		{"rgb(1,1)", "rgb(1,1)"},
		{"rgb(1,1,300)", "rgb(1,1,300)"},
		{"#01010", "#01010"},
		{"#01010g", "#01010g"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(samples); i++) {
		char drawing[200], expected[200];

		snprintf(drawing, sizeof drawing, "<path stroke='%s' d='M1,1'/>", samples[i].from);
		snprintf(expected, sizeof expected, "<path stroke=\"%s\" d=\"M1,1\"/>", samples[i].page);
		assert_becomes(drawing, expected);
	}
	assert_becomes("<path style='fill:none; stroke:rgb(3,3,3)' d=''/>",
		"<path d=\"\" fill=\"none\" stroke=\"var(--grid)\"/>");
	assert_becomes("<path style=';x;:y;fill : #010101 ;' d=''/>", "<path d=\"\" fill=\"var(--ink)\"/>");
}

static void numbers(void **state)
{
	static const struct {
		const char *from, *to;
	} samples[] = {
		{"M59.15,337.60 L68.90,337.00 M572.69,0.50 L-1.00,0.00 Z  ",
			"M59.2 337.6l9.7-.6m503.8-336.5-573.7-.5z"},
		{"M1,2 L3,4\n\t\tL5,6\n\t\tL 7,8", "M1 2l2 2 2 2 2 2"},
		{"M10,20 L30,20 L30,25 M50,20 L70,20", "M10 20h20v5m20-5h20"},
		{"M-1,0 h2 M0,-1 v2", "M-1,0h2M0,-1v2"},
		{"M0,1.330 L1.265,0.411 z", "M0 1.3l1.3-.9z"},
		{"M1.50.00 1. 2e-10 1.00e3", "M1.5.0 1. 2e-10 1e3"},
		{"M100 200 L1 2 C1 2 3 4 5 6 L7 8", "M100 200 1 2C1 2 3 4 5 6L7 8"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(samples); i++) {
		char drawing[200], expected[200];

		snprintf(drawing, sizeof drawing, "<path d='%s'/>", samples[i].from);
		snprintf(expected, sizeof expected, "<path d=\"%s\"/>", samples[i].to);
		assert_becomes(drawing, expected);
	}
	assert_becomes("<polygon points = '1.00,2.50 3.10,4.00 ' fill-opacity = '0.500000'/>",
		"<path fill-opacity=\"0.5\" d=\"M1 2.5l2.1 1.5z\"/>");
	assert_becomes("<text transform=\"translate(1.50,20.00) rotate(-90.00)\">0.50</text>",
		"<text transform=\"translate(1.5,20) rotate(-90)\">0.50</text>");
}

static void ids(void **state)
{
	(void)state;
	assert_becomes("<defs><path id='gpPt0' d='M1,1'/><circle id='gpPt5' r='1'/><use xlink:href='#gpPt5' id='gpPt6' "
		       "fill='currentColor'/></defs>"
		       "<use xlink:href='#gpPt6' transform='scale(4.88)'/>",
		"<defs><circle id=\"f-gpPt5\" r=\"1\"/><use href=\"#f-gpPt5\" id=\"f-gpPt6\" "
		"fill=\"currentColor\"/></defs>"
		"<use href=\"#f-gpPt6\" transform=\"scale(4.88)\"/>");
	assert_becomes(
		"<defs><filter id='textbox'/><filter id='greybox'/></defs><text style='filter:url(#textbox)'>a</text>"
		"<path clip-path=\"url( '#textbox' )\" fill='url(#none)'/>",
		"<defs><filter id=\"f-textbox\"/></defs><text filter=\"url(#f-textbox)\">a</text>"
		"<path clip-path=\"url( '#f-textbox' )\" fill=\"url(#f-none)\"/>");
	assert_becomes("<g id=\"gnuplot_plot_1\"><path id='a'/></g><g id=\"gnuplot_plot_1\"><path id='a'/></g>",
		"<path/><path/>");
	/* A circle of references must not be followed for ever. */
	assert_becomes("<defs><use id='a' href='#b'/><use id='b' href='#a'/></defs><use href='#a'/>",
		"<defs><use id=\"f-a\" href=\"#f-b\"/><use id=\"f-b\" href=\"#f-a\"/></defs><use href=\"#f-a\"/>");
}

static void patterns_that_look_alike(void **state)
{
	(void)state;
	assert_becomes("<g stroke-width=\"2.00\"><defs><pattern id='gpPat1' width='8'><path "
		       "d='M0,0'/></pattern></defs><path fill = 'url(#gpPat1)'/></g>"
		       "<g stroke-width=\"2.00\"><defs><pattern id='gpPat2' width='8'><path "
		       "d='M0,0'/></pattern></defs><path fill = 'url(#gpPat2)'/></g>"
		       "<g stroke-width=\"1.00\"><defs><pattern id='gpPat3' width='8'><path "
		       "d='M0,0'/></pattern></defs><path fill = 'url(#gpPat3)'/></g>",
		"<defs><pattern width=\"8\" stroke-width=\"2\" id=\"f-gpPat1\"><path d=\"M0,0\"/></pattern>"
		"<pattern width=\"8\" stroke-width=\"1\" id=\"f-gpPat3\"><path d=\"M0,0\"/></pattern></defs>"
		"<path stroke-width=\"2\" fill=\"url(#f-gpPat1)\"/><path stroke-width=\"2\" "
		"fill=\"url(#f-gpPat1)\"/><path fill=\"url(#f-gpPat3)\"/>");
}

static void groups(void **state)
{
	(void)state;
	assert_becomes("<g fill=\"none\"></g><g><g> </g></g><text></text><path/>", "<path/>");
	/* What is seen of inherited attributes stays: here one path has no fill of its own. */
	assert_becomes(
		"<g fill='none'><path fill='red'/><path/></g>", "<g fill=\"none\"><path fill=\"red\"/><path/></g>");
	assert_becomes("<g fill='none'><path fill='red'/><path fill='blue'/><path fill='blue'/></g>",
		"<g fill=\"blue\"><path fill=\"red\"/><path/><path/></g>");
	assert_becomes("<g stroke-linecap='butt' stroke-linejoin='miter' stroke-width='1.00'><path/><path/></g>",
		"<path/><path/>");
	assert_becomes("<g stroke-width='2'><path stroke-width='1.0'/><path/></g>",
		"<g stroke-width=\"2\"><path stroke-width=\"1\"/><path/></g>");
	/* A group of one: its attributes go to the one, unless that one moves or has its own. */
	assert_becomes("<g transform='translate(1,2)' fill='red'><text fill='blue'>a</text></g>",
		"<text fill=\"blue\" x=\"1\" y=\"2\">a</text>");
	assert_becomes("<g transform='scale(2)'><g transform='scale(3)'><path/></g></g>",
		"<g transform=\"scale(2)\"><path transform=\"scale(3)\"/></g>");
	assert_becomes("<g clip-path='url(#a)'><path/></g>", "<g clip-path=\"url(#f-a)\"><path/></g>");
	assert_becomes("<g opacity='0.50'><path transform='scale(2)'/></g>",
		"<g opacity=\"0.5\"><path transform=\"scale(2)\"/></g>");
	/* color matters only to what asks for it. */
	assert_becomes(
		"<g color='black'><path color='gray'/><path stroke='red'/></g>", "<path/><path stroke=\"red\"/>");
	assert_becomes("<g color='black'><path stroke='currentColor'/><path/></g>",
		"<g color=\"var(--ink)\"><path stroke=\"currentColor\"/><path/></g>");
	/* Shapes do not care about text. */
	assert_becomes("<g><path/><text font-size='13.00'>a</text><text font-size='13.00'>b</text></g>",
		"<g font-size=\"13\"><path/><text>a</text><text>b</text></g>");
}

static void texts(void **state)
{
	(void)state;
	assert_becomes("<text><tspan font-family=\"x\" > 0.5</tspan></text>", "<text>0.5</text>");
	assert_becomes("<text xml:space='preserve'> a</text>", "<text xml:space=\"preserve\"> a</text>");
	assert_becomes("<text><tspan>a</tspan><tspan font-size=\"10.4\" dy=\"3.90px\">2</tspan><tspan font-size='13.0' "
		       "dy=\"-3.90px\"> </tspan></text>",
		"<text>a<tspan font-size=\"10.4\" dy=\"3.9px\">2</tspan><tspan font-size=\"13\" dy=\"-3.9px\"> "
		"</tspan></text>");
	assert_becomes("<text>&lt;b> &amp; &#39;c&#39; & d &; \"e\" é</text>",
		"<text>&lt;b&gt; &amp; &#39;c&#39; &amp; d &amp;; &quot;e&quot; é</text>");
	assert_becomes("<text>1 < 2</text>", "<text>1 &lt; 2</text>");
}

static void names(void **state)
{
	static const char svg[] = "<svg width=\"60\" height=\"40\"><path/></svg>";
	const struct svg_options options = {.prefix = "a-1_b", .title = "<T> & \"t\" &lt;", .desc = "it's\x01 < \xFF"};
	char *result = svg_rewrite(svg, strlen(svg), &options, NULL);

	(void)state;
	assert_string_equal(result,
		"<svg viewBox=\"0 0 60 40\" width=\"100%\" role=\"img\" aria-labelledby=\"a-1_b-title a-1_b-desc\">"
		"<title id=\"a-1_b-title\">&lt;T&gt; &amp; &quot;t&quot; &amp;lt;</title>"
		"<desc id=\"a-1_b-desc\">it's\xEF\xBF\xBD &lt; \xEF\xBF\xBD</desc><path/></svg>");
	free(result);
}

static void standalone(void **state)
{
	char *result = rewrite(HEAD
		"<defs><path id='p'/></defs><use xlink:href='#p'/><path stroke='rgb(1,1,1)' fill='#040404'/></svg>",
		true);

	(void)state;
	assert_non_null(strstr(result,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" viewBox="));
	assert_non_null(
		strstr(result, "<use xlink:href=\"#f-p\"/><path stroke=\"#1c2026\" fill=\"#ffffff\"/></svg>\n"));
	assert_non_null(
		strstr(result, "<style>:root{--ink:#1c2026;--ink-2:#59626e;--grid:#d9dee4;--paper:#ffffff;--idle:"));
	assert_non_null(strstr(result, "@media screen and (prefers-color-scheme:dark){:root{--ink:#e4e7eb;"));
	assert_non_null(strstr(result, "[stroke='#1c2026']{stroke:var(--ink)}"));
	assert_non_null(strstr(result, "sans-serif"));
	free(result);
}

/* What gnuplot writes for a text at a place. */
#define TEXT(x, anchor, words)                                                                                         \
	"<g transform=\"translate(" x                                                                                  \
	",20.00)\" stroke=\"none\" fill=\"#010101\" font-size=\"13.00\" text-anchor=\"" anchor "\"><text>" words       \
	"</text></g>"

static const char elastic_svg[] = HEAD "<path d='M0,1 L30,1' stroke='#D55E00'/>" TEXT("30.00", "middle", "%amiddle")
	TEXT("15.00", "start", "%wleft") TEXT("60.00", "end", "%nright") TEXT("18.00", "start", "papx")
		TEXT("0.00", "start", "laname") TEXT("0.00", "start", "rabehind")
			TEXT("18.00", "start", "hwhead") "</svg>";

/* The shapes are in a picture that stretches, the texts are not; each stands where its marks say. */
static void stretching(void **state)
{
	static const struct svg_frame frame = {100, 50, 24, 30};
	static char words[] = "<a> & b";
	static const struct svg_mark mark = {15, 2, 30, 12, words, false};
	const struct svg_options options = {.prefix = "f", .title = "T", .frame = &frame, .marks = &mark, .nmarks = 1};
	struct error err = {0};
	char *result = svg_rewrite(elastic_svg, strlen(elastic_svg), &options, &err);

	(void)state;
	assert_non_null(result);
	assert_string_equal(result,
		"<svg class=\"e l5 m3 r1 s2\" height=\"40\" role=\"img\" aria-labelledby=\"f-title\"><title "
		"id=\"f-title\">T</title>"
		"<svg viewBox=\"0 0 60 40\" height=\"40\" preserveAspectRatio=\"none\" overflow=\"visible\">"
		"<path d=\"M0 1h30\" stroke=\"#d55e00\"/></svg><g fill=\"var(--ink)\">"
		"<text text-anchor=\"middle\" x=\"50%\" y=\"20\">middle</text>"
		"<text x=\"25%\" dx=\"5\" class=\"w\" y=\"20\">left</text>"
		"<text text-anchor=\"end\" x=\"100%\" dx=\"-5\" class=\"n\" y=\"20\">right</text>"
		"<text x=\"18\" y=\"20\">px</text><text text-anchor=\"end\" x=\"-8\" y=\"20\">name</text>"
		"<text x=\"100%\" dx=\"8\" y=\"20\">behind</text><text x=\"-102\" class=\"w\" y=\"20\">head</text></g>"
		"<g fill=\"none\" pointer-events=\"all\"><rect x=\"25%\" y=\"2\" width=\"25%\" height=\"10\">"
		"<title>&lt;a&gt; &amp; b</title></rect></g></svg>");
	free(result);
}

/* What the picture says in words is a line for scripts in a page, and a shape with a title in a file. */
static void marks_in_words(void **state)
{
	static const struct svg_frame frame = {100, 50, 24, 30};
	static char first[] = "<a>\nb", second[] = "c";
	static const struct svg_mark marks[] = {{15, 2, 30, 12, first, true}, {0, 1.5, 60, 3, second, true}};
	struct svg_options options = {.prefix = "f", .title = "T", .frame = &frame, .marks = marks, .nmarks = 2};
	struct error err = {0};
	char *page = svg_rewrite(elastic_svg, strlen(elastic_svg), &options, &err), *file;

	(void)state;
	options.standalone = true;
	file = svg_rewrite(elastic_svg, strlen(elastic_svg), &options, &err);
	assert_non_null(page);
	assert_non_null(file);
	assert_non_null(strstr(page, "<g fill=\"none\" pointer-events=\"all\" data-marks=\"25% 2 25% 10 &lt;a&gt; b\n"
				     "0% 1.5 100% 1.5 c\"/>"));
	assert_non_null(strstr(file, "<rect x=\"0%\" y=\"1.5\" width=\"100%\" height=\"1.5\"><title>c</title></rect>"));
	assert_null(strstr(file, "data-marks"));
	free(page);
	free(file);
}

/* A file has the wide frame, and no text of narrow pages. */
static void stretching_in_a_file(void **state)
{
	static const struct svg_frame frame = {100, 50, 24, 30};
	const struct svg_options options = {.prefix = "f", .title = "T", .frame = &frame, .standalone = true};
	struct error err = {0};
	char *result = svg_rewrite(elastic_svg, strlen(elastic_svg), &options, &err);

	(void)state;
	assert_non_null(result);
	assert_non_null(strstr(result, " viewBox=\"0 0 960 40\""));
	assert_non_null(
		strstr(result, "<svg x=\"100\" width=\"836\" height=\"40\" overflow=\"visible\" font-size=\"13\">"));
	assert_non_null(strstr(result, "vector-effect:non-scaling-stroke"));
	assert_non_null(strstr(result, ">left<"));
	assert_null(strstr(result, ">right<"));
	assert_null(strstr(result, " class="));
	free(result);
}

/* Level lines of a dot's length are dots; a wait, copies to the host and idle time have a texture where it can be seen.
 */
static void dots_and_textures(void **state)
{
	char svg[1024], *result;

	(void)state;
	snprintf(svg, sizeof(svg),
		HEAD "<g stroke-width='22'><path d='M1,5 L9,5' stroke='#%06X'/>"
		     "<path d='M1,9 L9,9' stroke='#%06X'/><path d='M1,9 L9,9' stroke='#%06X'/></g>"
		     "<path d='M1,9 L9,9' stroke='#%06X' stroke-width='2'/>"
		     "<path d='M1,5 L1.04,5 M3,5 L3.04,5' stroke='#%06X'/></svg>",
		COLOR_WAIT, COLOR_D2H, COLOR_IDLE, COLOR_WAIT, COLOR_KERNEL);
	result = rewrite(svg, false);
	assert_non_null(strstr(result, " id=\"f-wait\""));
	assert_non_null(strstr(result, " id=\"f-d2h\""));
	assert_non_null(strstr(result, "stroke=\"url(#f-wait)\""));
	assert_non_null(strstr(result, "stroke=\"url(#f-d2h)\""));
	assert_non_null(strstr(result, "stroke=\"url(#f-idle)\""));
	assert_non_null(strstr(result, "stroke=\"#cc79a7\" stroke-width=\"2\""));
	assert_non_null(strstr(result, "d=\"M1 5h0m2 0h0\" stroke=\"#009e73\" stroke-linecap=\"round\""));
	free(result);
}

/* A bar of nearly no length is no disc as large as it is thick, and neither is a path that has other lines, too. */
static void what_is_short_is_no_dot(void **state)
{
	static const char *const paths[] = {"M1,5 L1,5", "M1,5 L1,5.04", "M1,5 L1.1,5", "M1,5 L1.06,5", "M1,5 L1.02,5",
		"M1,5 L1.04,5 L1.04,5", "M1,5 L1.04,5 M3,5 L9,5", "M1,5 L1.04,5 M3,5 L3,5", "M1,5 L1.04,5 Z", "M1,5"};

	(void)state;
	for (size_t i = 0; i < COUNT(paths); i++) {
		char svg[256], *result;

		snprintf(svg, sizeof(svg), HEAD "<path stroke='red' stroke-width='44' d='%s'/></svg>", paths[i]);
		result = rewrite(svg, false);
		if (strstr(result, "linecap"))
			fail_msg("%s is a dot", paths[i]);
		free(result);
	}
	assert_becomes("<path d='M1,5 L1.05,5 M3,5 L3.03,5'/>", "<path d=\"M1 5h0m2 0h0\" stroke-linecap=\"round\"/>");
}

/* Paths of one look that follow each other are one. */
static void paths_are_joined(void **state)
{
	(void)state;
	assert_becomes("<g stroke='red'><path d='M1,1 L2,1'/></g><g stroke='red'><path d='M5,1 L6,1'/></g>"
		       "<path stroke='blue' d='M7,1 L8,1'/>",
		"<path d=\"M1 1h1M5 1h1\" stroke=\"red\"/><path stroke=\"blue\" d=\"M7 1h1\"/>");
}

/* What the installed gnuplot writes: every id is ours, no colour of its ink is left, and a quarter of the bytes is
 * gone. */
static void a_real_figure(void **state)
{
	static char text[200000];
	FILE *pipe = popen("gnuplot -d -e \"set term svg size 600,400; set key tc rgb '#010101';"
			   "plot sin(x) with linespoints, x/10 with boxes fs pattern 4 lc rgb '#020202'\" 2>/dev/null",
		"r");
	size_t size;
	char *result;

	(void)state;
	assert_non_null(pipe);
	size = fread(text, 1, sizeof text - 1, pipe);
	if (pclose(pipe) != 0)
		skip();
	assert_true(size > 1000);
	text[size] = '\0';
	result = rewrite(text, false);
	for (const char *id = result; (id = strstr(id, " id=\"")) != NULL; id++)
		assert_memory_equal(id, " id=\"f-", 7);
	assert_null(strstr(result, "rgb("));
	assert_null(strstr(result, "black"));
	assert_non_null(strstr(result, "fill=\"url(#f-gpPat1)\""));
	assert_null(strstr(result, "gpPat2"));
	assert_true(strlen(result) < size * 3 / 4);
	free(result);
}

static void assert_refused(const char *text, const char *prefix, const char *message)
{
	const struct svg_options options = {.prefix = prefix, .title = "T"};
	struct error err = {0};

	assert_null(svg_rewrite(text, strlen(text), &options, &err));
	assert_string_equal(err.text, message);
}

static void refused(void **state)
{
	static const char svg[] = "<svg viewBox=\"0 0 60 40\"/>";
	char deep[2000] = "<svg viewBox='0 0 6 4'>";

	(void)state;
	assert_refused("", "f", "it is no SVG");
	assert_refused("<html><body>no</body></html>", "f", "it is no SVG");
	assert_refused("<svg/>", "f", "it is no SVG with a size");
	assert_refused("<svg viewBox='0 0 60'/>", "f", "it is no SVG with a size");
	assert_refused("<svg width='-1' height='nan'/>", "f", "it is no SVG with a size");
	assert_refused(svg, "", "'' cannot begin an id: it must start with a letter");
	assert_refused(svg, "1a", "'1a' cannot begin an id: it must start with a letter");
	assert_refused(svg, "a\"b", "'a\"b' cannot begin an id: only letters, digits, - and _ can");
	for (int i = 0; i < 200; i++)
		strcat(deep, "<g>");
	assert_refused(deep, "f", "it is nested more than 100 deep, which gnuplot's SVG never is");
}

/* Torn and tangled text gives a figure or an error: nothing is read or written outside of it. */
static void hostile(void **state)
{
	static const char *const pieces[] = {"<svg viewBox='0 0 9 9'>", "<g>", "</g>", "<", ">", "/", "=", "'", "\"",
		"<!--", "-->", "<![CDATA[", "]]>", "<?", "<!DOCTYPE [", "&", " id='a'", " href='#a'", " d='M1.0 L'",
		" style='a:b;:'", " fill='url(#a)'", "<text>", "<defs>", "<pattern id='a'>", "</defs>", " ", "a",
		"\xC3", "\x01", "<use", "</svg>", " fill='rgb(1,'"};
	static const struct svg_frame frame = {100, 50, 24, 24};
	static char words[] = "<\xFF";
	static const struct svg_mark mark = {1, 2, 3, 4, words, false};
	uint32_t random = 7;

	(void)state;
	for (int i = 0; i < all_or(20000, 4000); i++) {
		const struct svg_options options = {.prefix = "f",
			.title = "\xFF",
			.desc = "",
			.standalone = i % 2,
			.frame = i % 3 ? &frame : NULL,
			.marks = &mark,
			.nmarks = 1};
		char text[1024] = "<svg viewBox='0 0 9 9'>", *copy, *result;
		struct error err = {0};

		for (int j = 0; j < 24; j++) {
			random = random * 1664525 + 1013904223;
			strcat(text, pieces[(random >> 16) % COUNT(pieces)]);
		}
		copy = strdup(text);
		assert_non_null(copy);
		result = svg_rewrite(copy, strlen(copy), &options, &err);
		assert_true((result == NULL) == (err.text[0] != '\0'));
		free(result);
		free(copy);
	}
}

static void a_text_without_end(void **state)
{
	const struct svg_options options = {.prefix = "f", .title = "T"};
	size_t size = 2000000;
	char *text = malloc(size), *result;

	(void)state;
	assert_non_null(text);
	memset(text, '<', size);
	memcpy(text, "<svg viewBox='0 0 9 9'><path d='", 32);
	result = svg_rewrite(text, size, &options, NULL); /* no NUL at its end */
	assert_non_null(result);
	free(result);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_does_not_belong_in_a_page),
		cmocka_unit_test(colors),
		cmocka_unit_test(numbers),
		cmocka_unit_test(ids),
		cmocka_unit_test(patterns_that_look_alike),
		cmocka_unit_test(groups),
		cmocka_unit_test(texts),
		cmocka_unit_test(names),
		cmocka_unit_test(standalone),
		cmocka_unit_test(stretching),
		cmocka_unit_test(stretching_in_a_file),
		cmocka_unit_test(marks_in_words),
		cmocka_unit_test(dots_and_textures),
		cmocka_unit_test(what_is_short_is_no_dot),
		cmocka_unit_test(paths_are_joined),
		cmocka_unit_test(a_real_figure),
		cmocka_unit_test(refused),
		cmocka_unit_test(hostile),
		cmocka_unit_test(a_text_without_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
