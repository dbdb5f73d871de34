/* mustache.c: the template engine against the rules of the Mustache specification, case by case. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "page/mustache.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* Data and partials are JSON; single quotes in them stand for double quotes. */
struct sample {
	const char *about, *template, *data, *partials, *expected;
};

static json_t *from_json(const char *text)
{
	char *copy = strdup(text != NULL ? text : "{}");
	json_error_t error;
	json_t *value;

	assert_non_null(copy);
	for (char *c = copy; (c = strchr(c, '\'')) != NULL;)
		*c = '"';
	value = json_loads(copy, JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
	if (value == NULL)
		fail_msg("bad test data %s: %s", text, error.text);
	free(copy);
	return value;
}

static char *load(void *user, const char *name, struct error *err)
{
	const char *text = json_string_value(json_object_get(user, name));

	if (text == NULL) {
		error_set(err, "no template %s", name);
		return NULL;
	}
	return strdup(text);
}

static char *render(const struct sample *sample, struct error *err)
{
	json_t *data = from_json(sample->data), *texts = from_json(sample->partials);
	char *result;

	json_object_set_new(texts, "main", json_string(sample->template));
	result = mustache_render("main", load, texts, data, err);
	json_decref(data);
	json_decref(texts);
	return result;
}

static void check(const struct sample *samples, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct error err = {0};
		char *result = render(&samples[i], &err);

		if (result == NULL)
			fail_msg("%s: %s", samples[i].about, err.text);
		if (strcmp(result, samples[i].expected) != 0)
			fail_msg("%s: '%s' instead of '%s'", samples[i].about, result, samples[i].expected);
		free(result);
	}
}

static void comments(void **state)
{
	static const struct sample samples[] = {
		{"inline", "12{{! no }}34", "{}", NULL, "1234"},
		{"keeps the white space around", "1 {{! x }} 2", "{}", NULL, "1  2"},
		{"of several lines, inline", "a{{!\n b\n}}c", "{}", NULL, "ac"},
		{"alone on a line", "a\n{{! x }}\nb\n", "{}", NULL, "a\nb\n"},
		{"alone and indented", "a\n  {{! x }}\t\nb\n", "{}", NULL, "a\nb\n"},
		{"alone, of several lines", "a\n {{!\n x\n }}\nb", "{}", NULL, "a\nb"},
		{"alone with CRLF", "a\r\n{{! x }}\r\nb", "{}", NULL, "a\r\nb"},
		{"alone on the first line", "  {{! x }}\nb", "{}", NULL, "b"},
		{"alone on the last line", "a\n  {{! x }}", "{}", NULL, "a\n"},
		{"not alone after text", "a {{! x }}\nb", "{}", NULL, "a \nb"},
		{"two are not alone", "{{! x }}{{! y }}\nb", "{}", NULL, "\nb"},
		{"with a name in it", "{{!a}}", "{'a': 'x', '!a': 'y'}", NULL, ""},
	};

	(void)state;
	check(samples, COUNT(samples));
}

static void delimiters(void **state)
{
	static const struct sample samples[] = {
		{"pair", "{{=<% %>=}}(<%t%>) {{t}}", "{'t': 'x'}", NULL, "(x) {{t}}"},
		{"special characters", "({{=[ ]=}}[t])", "{'t': 'x'}", NULL, "(x)"},
		{"white space around", "{{=   @\t %\n =}}@t%", "{'t': 'x'}", NULL, "x"},
		{"raw value with others", "{{=| |=}}|&t| |{t}|", "{'t': '<'}", NULL, "< <"},
		{"section across a change", "{{#s}}{{=| |=}}|t|{{t}}|/s|", "{'s': true, 't': 1}", NULL, "1{{t}}"},
		{"do not reach into a partial", "{{=| |=}}|>p||t|", "{'t': 1}", "{'p': '{{t}}|t|'}", "1|t|1"},
		{"do not come out of a partial", "{{>p}}{{t}}|t|", "{'t': 1}", "{'p': '{{=| |=}}|t|'}", "11|t|"},
		{"surrounding white space stays", "| {{=@ @=}} |", "{}", NULL, "|  |"},
		{"alone on a line", "a\n {{=@ @=}}\nb", "{}", NULL, "a\nb"},
		{"alone with CRLF", "|\r\n{{= @ @ =}}\r\n|", "{}", NULL, "|\r\n|"},
		{"alone at the end", "a\n  {{=@ @=}}", "{}", NULL, "a\n"},
		{"back again", "{{=| |=}}|={{ }}=|{{t}}", "{'t': 1}", NULL, "1"},
	};

	(void)state;
	check(samples, COUNT(samples));
}

static void interpolation(void **state)
{
	static const struct sample samples[] = {
		{"no tags", "plain { text } }}", "{}", NULL, "plain { text } }}"},
		{"value", "Hello, {{who}}!", "{'who': 'world'}", NULL, "Hello, world!"},
		{"raw with three braces", "{{{x}}}", "{'x': '& < >'}", NULL, "& < >"},
		{"raw with ampersand", "{{&x}}", "{'x': '& < >'}", NULL, "& < >"},
		{"integer", "{{x}} {{{x}}} {{&x}}", "{'x': 85}", NULL, "85 85 85"},
		{"large and negative", "{{x}} {{y}}", "{'x': 9007199254740993, 'y': -3}", NULL, "9007199254740993 -3"},
		{"real, as few digits as do", "{{x}} {{y}} {{z}}", "{'x': 1.21, 'y': 0.1, 'z': 2.0}", NULL,
			"1.21 0.1 2"},
		{"real that needs 17 digits", "{{x}}", "{'x': 0.30000000000000004}", NULL, "0.30000000000000004"},
		{"true and false", "{{x}} {{y}}", "{'x': true, 'y': false}", NULL, "true false"},
		{"null", "({{x}}{{{x}}})", "{'x': null}", NULL, "()"},
		{"null hides what is outside", "{{#s}}({{x}}){{/s}}", "{'x': 1, 's': {'x': null}}", NULL, "()"},
		{"unknown", "({{x}}{{{x}}}{{&x}})", "{}", NULL, "()"},
		{"dotted name", "{{a.b}} {{{a.b}}}", "{'a': {'b': '<'}}", NULL, "&lt; <"},
		{"deep dotted name", "{{a.b.c.d.e}}", "{'a': {'b': {'c': {'d': {'e': 5}}}}}", NULL, "5"},
		{"broken chain", "({{a.b.c}})", "{'a': {}}", NULL, "()"},
		{"chain does not fall back", "({{a.b.c}})", "{'a': {'b': {}}, 'c': {'c': 1}}", NULL, "()"},
		{"chain starts outside", "{{#s}}{{a.b}}{{/s}}", "{'s': {'l': 1}, 'a': {'b': 2}}", NULL, "2"},
		{"first step decides", "({{#a}}{{b.c}}{{/a}})", "{'a': {'b': {}}, 'b': {'c': 1}}", NULL, "()"},
		{"not one key with a dot", "({{a.b}}){{#s}}{{/s}}", "{'a.b': 'c', 'a': {'b': 'd'}}", NULL, "(d)"},
		{"implicit iterator", "{{.}} {{{.}}}", "'<'", NULL, "&lt; <"},
		{"white space in the tag", "|{{ x }}|{{{ x }}}|{{& x }}|{{\n x\t}}|", "{'x': 1}", NULL, "|1|1|1|1|"},
		{"white space around the tag", "| {{x}} |\n  {{x}}\n", "{'x': 1}", NULL, "| 1 |\n  1\n"},
		{"values are no templates", "{{{x}}}", "{'x': '{{y}}', 'y': 1}", NULL, "{{y}}"},
		{"NUL", "{{x}}{{{x}}}", "{'x': '\\u0000-'}", NULL, "\xEF\xBF\xBD-\xEF\xBF\xBD-"},
	};

	(void)state;
	check(samples, COUNT(samples));
}

static void escaping(void **state)
{
	json_t *view = json_pack("{s:s}", "x", "a & b \"c\" 'd' <e> é");
	json_t *texts = json_pack("{s:s}", "main", "{{x}}|{{{x}}}");
	char *result = mustache_render("main", load, texts, view, NULL);

	(void)state;
	assert_string_equal(result, "a &amp; b &quot;c&quot; &#39;d&#39; &lt;e&gt; é|a & b \"c\" 'd' <e> é");
	free(result);
	json_decref(texts);
	json_decref(view);
}

static void sections(void **state)
{
	static const struct sample samples[] = {
		{"true", "{{#s}}yes{{/s}}", "{'s': true}", NULL, "yes"},
		{"false", "({{#s}}no{{/s}})", "{'s': false}", NULL, "()"},
		{"null", "({{#s}}no{{/s}})", "{'s': null}", NULL, "()"},
		{"unknown", "({{#s}}no{{/s}})", "{}", NULL, "()"},
		{"zero and no text are no falsehood", "{{#z}}z{{/z}}{{#e}}e{{/e}}", "{'z': 0, 'e': ''}", NULL, "ze"},
		{"object is a context", "{{#c}}{{n}}{{/c}}", "{'c': {'n': 'Joe'}}", NULL, "Joe"},
		{"outer names are seen", "{{#s}}{{a}}{{b}}{{/s}}", "{'a': 1, 'b': 2, 's': {'b': 3}}", NULL, "13"},
		{"a value is a context", "{{#x}}{{.}}{{/x}}", "{'x': 'bar'}", NULL, "bar"},
		{"list", "{{#l}}{{n}}{{/l}}", "{'l': [{'n': 1}, {'n': 2}, {'n': 3}]}", NULL, "123"},
		{"empty list", "({{#l}}no{{/l}})", "{'l': []}", NULL, "()"},
		{"list of values", "{{#l}}({{.}}){{/l}}", "{'l': ['a', 2, 1.5, true]}", NULL, "(a)(2)(1.5)(true)"},
		{"list of lists", "{{#l}}({{#.}}{{.}}{{/.}}){{/l}}", "{'l': [[1, 2], ['a', '<']]}", NULL,
			"(12)(a&lt;)"},
		{"list of objects, dotted", "{{#l}}{{a.b}}{{/l}}", "{'l': [{'a': {'b': 1}}, {'a': {'b': 2}}]}", NULL,
			"12"},
		{"root as a list", "{{#.}}({{v}}){{/.}}", "[{'v': 1}, {'v': 2}]", NULL, "(1)(2)"},
		{"deep", "{{#a}}{{one}}{{#b}}{{one}}{{two}}{{/b}}{{/a}}", "{'a': {'one': 1}, 'b': {'two': 2}}", NULL,
			"112"},
		{"same name again", "{{#b}}1{{/b}}2{{#b}}3{{/b}}", "{'b': true}", NULL, "123"},
		{"nested, true", "A{{#b}}B{{#b}}C{{/b}}D{{/b}}E", "{'b': true}", NULL, "ABCDE"},
		{"nested, false", "A{{#b}}B{{#b}}C{{/b}}D{{/b}}E", "{'b': false}", NULL, "AE"},
		{"dotted", "{{#a.b.c}}x{{/a.b.c}}", "{'a': {'b': {'c': true}}}", NULL, "x"},
		{"dotted, broken", "({{#a.b.c}}x{{/a.b.c}})", "{'a': {}}", NULL, "()"},
		{"around text", " | {{#b}}\t|\t{{/b}} | \n", "{'b': true}", NULL, " | \t|\t | \n"},
		{"inside white space", " | {{#b}} {{! x }}\n {{/b}} | \n", "{'b': true}", NULL, " |  \n  | \n"},
		{"lines of their own", "| This\n{{#b}}\n|\n{{/b}}\n| is", "{'b': true}", NULL, "| This\n|\n| is"},
		{"indented lines of their own", "| a\n  {{#b}}\n|\n  {{/b}}\n| b", "{'b': true}", NULL, "| a\n|\n| b"},
		{"with CRLF", "|\r\n{{#b}}\r\n{{/b}}\r\n|", "{'b': true}", NULL, "|\r\n|"},
		{"at the start and at the end", "  {{#b}}\n#{{/b}}\n/", "{'b': true}", NULL, "#\n/"},
		{"alone at the end", "#{{#b}}\n/\n  {{/b}}", "{'b': true}", NULL, "#\n/\n"},
		{"white space in the tag", "|{{# b }}={{/\tb }}|", "{'b': true}", NULL, "|=|"},
		{"list on lines", "{{#l}}\n- {{.}}\n{{/l}}\n", "{'l': [1, 2]}", NULL, "- 1\n- 2\n"},
	};

	(void)state;
	check(samples, COUNT(samples));
}

static void inverted_sections(void **state)
{
	static const struct sample samples[] = {
		{"false", "{{^s}}yes{{/s}}", "{'s': false}", NULL, "yes"},
		{"true", "({{^s}}no{{/s}})", "{'s': true}", NULL, "()"},
		{"null", "{{^s}}yes{{/s}}", "{'s': null}", NULL, "yes"},
		{"unknown", "{{^s}}yes{{/s}}", "{}", NULL, "yes"},
		{"object", "({{^s}}no{{/s}})", "{'s': {}}", NULL, "()"},
		{"list", "({{^s}}no{{/s}})", "{'s': [0]}", NULL, "()"},
		{"empty list", "{{^s}}yes{{/s}}", "{'s': []}", NULL, "yes"},
		{"both kinds", "{{#b}}1{{/b}}{{^b}}2{{/b}}", "{'b': false}", NULL, "2"},
		{"nested", "A{{^b}}B{{^b}}C{{/b}}D{{/b}}E", "{'b': false}", NULL, "ABCDE"},
		{"dotted", "({{^a.b}}x{{/a.b}})", "{'a': {'b': true}}", NULL, "()"},
		{"dotted, broken", "{{^a.b.c}}x{{/a.b.c}}", "{'a': {}}", NULL, "x"},
		{"context stays", "{{#a}}{{^no}}{{x}}{{/no}}{{/a}}", "{'a': {'x': 1}}", NULL, "1"},
		{"lines of their own", "a\n {{^b}}\n|\n {{/b}}\nc", "{}", NULL, "a\n|\nc"},
	};

	(void)state;
	check(samples, COUNT(samples));
}

static void partials(void **state)
{
	static const struct sample samples[] = {
		{"inline", "'{{>p}}'", "{}", "{'p': 'from p'}", "'from p'"},
		{"sees the context", "{{>p}}", "{'t': 'x'}", "{'p': '*{{t}}*'}", "*x*"},
		{"inside a section", "{{#l}}{{>p}}{{/l}}", "{'l': [1, 2]}", "{'p': '<{{.}}>'}", "<1><2>"},
		{"calls itself", "{{>n}}", "{'c': 'X', 'n': [{'c': 'Y', 'n': []}]}",
			"{'n': '{{c}}<{{#n}}{{>n}}{{/n}}>'}", "X<Y<>>"},
		{"in a partial", "{{>o}}", "{'a': 1}", "{'o': '({{>i}})', 'i': '{{a}}'}", "(1)"},
		{"keeps white space around it", "| {{>p}} |", "{}", "{'p': '\\t|\\t'}", "| \t|\t |"},
		{"not alone: no indentation", "  {{d}}  {{> p}}\n", "{'d': '|'}", "{'p': '>\\n>'}", "  |  >\n>\n"},
		{"alone: each line indented", "a\n {{>p}}\nb\n", "{}", "{'p': '1\\n2\\n'}", "a\n 1\n 2\nb\n"},
		{"values are not indented", "a\n {{>p}}\nb", "{'c': '1\\n2'}", "{'p': '|\\n{{{c}}}\\n|\\n'}",
			"a\n |\n 1\n2\n |\nb"},
		{"indentation adds up", " {{>p}}\n", "{}", "{'p': 'a\\n  {{>q}}\\n', 'q': 'b\\nc\\n'}",
			" a\n   b\n   c\n"},
		{"empty lines stay empty", "  {{>p}}\n", "{}", "{'p': 'a\\n\\nb\\n'}", "  a\n\n  b\n"},
		{"alone with CRLF", "|\r\n{{>p}}\r\n|", "{}", "{'p': '>'}", "|\r\n>|"},
		{"alone without a line before", "  {{>p}}\n>", "{}", "{'p': '>\\n>'}", "  >\n  >>"},
		{"alone without a line after", ">\n  {{>p}}", "{}", "{'p': '>\\n>'}", ">\n  >\n  >"},
		{"with and without indentation", "{{>p}};\n {{>p}}\n", "{}", "{'p': 'x\\n'}", "x\n;\n x\n"},
		{"white space in the tag", "|{{> p }}|", "{'b': true}", "{'p': '[]'}", "|[]|"},
		{"dots in its name are no path", "{{>a.b/c}}", "{}", "{'a.b/c': 'x'}", "x"},
	};

	(void)state;
	check(samples, COUNT(samples));
}

static void errors(void **state)
{
	static const struct sample samples[] = {
		{"open", "a\n{{#s}}\n", "{}", NULL, "main:2: the section {{#s}} is never closed"},
		{"inner open", "{{#s}}\n\n{{^t}}{{/s}}", "{}", NULL,
			"main:3: {{/s}} stands where {{/t}} must, to close the section of line 3"},
		{"not open", "\n\n {{/s}}", "{}", NULL, "main:3: {{/s}} closes a section that is not open"},
		{"other name", "{{#a.b}}{{/a.c}}", "{}", NULL,
			"main:1: {{/a.c}} stands where {{/a.b}} must, to close the section of line 1"},
		{"tag", "a\nb {{x\n\n", "{}", NULL, "main:2: the tag is not closed: }} is missing"},
		{"raw tag", "{{{x}}", "{}", NULL, "main:1: the tag is not closed: }}} is missing"},
		{"comment", "{{! x", "{}", NULL, "main:1: the tag is not closed: }} is missing"},
		{"no name", "\n{{ }}", "{}", NULL, "main:2: a tag has no name"},
		{"white space", "{{a b}}", "{}", NULL, "main:1: 'a b' is no name: it has white space in it"},
		{"one delimiter", "{{=x=}}", "{}", NULL,
			"main:1: new delimiters must be two, with white space between them"},
		{"three delimiters", "{{=x y z=}}", "{}", NULL,
			"main:1: new delimiters must be two, with white space between them"},
		{"equals sign", "{{=| =|=}}", "{}", NULL, "main:1: a delimiter must not have '=' in it"},
		{"after a comment of lines", "{{!\n\n}}\n{{a b}}", "{}", NULL,
			"main:4: 'a b' is no name: it has white space in it"},
		{"list as text", "\n{{a.b}}", "{'a': {'b': [1]}}", NULL,
			"main:2: {{a.b}} is a list, not text: use a section"},
		{"object as text", "{{a}}", "{'a': {}}", NULL, "main:1: {{a}} is an object, not text: use a section"},
		{"no partial", "\n{{>q}}", "{}", NULL, "main:2: {{>q}}: no template q"},
		{"in a partial", "\n{{>p}}", "{}", "{'p': 'a\\n{{/x}}'}",
			"main:2: {{>p}}: p:2: {{/x}} closes a section that is not open"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(samples); i++) {
		struct error err = {0};

		assert_null(render(&samples[i], &err));
		assert_string_equal(err.text, samples[i].expected);
	}
}

static void a_partial_without_end_is_an_error(void **state)
{
	static const struct sample endless = {"", "x{{>main}}", "{}", NULL, NULL};
	static const struct sample indented = {"", " {{>main}}\n", "{}", NULL, NULL};
	struct error err = {0};

	(void)state;
	assert_null(render(&endless, &err));
	assert_non_null(strstr(err.text, "a partial without end?"));
	assert_null(render(&indented, &err));
	assert_non_null(strstr(err.text, "a partial without end?"));
}

static void a_missing_template_is_an_error(void **state)
{
	json_t *texts = json_object();
	struct error err = {0};

	(void)state;
	assert_null(mustache_render("page", load, texts, texts, &err));
	assert_string_equal(err.text, "no template page");
	json_decref(texts);
}

/* Every text is rendered or refused: nothing else may happen, whatever stands in it. */
static void hostile_templates(void **state)
{
	static const char pieces[][8] = {
		"{{", "}}", "{", "}", "#", "/", "^", ">", "=", "!", "&", "a", ".", " ", "\n", "\r\n", "{{a}}"};
	uint32_t random = 1;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		char text[256] = "";
		struct sample sample = {"", text, "{'a': [1, {'a': 2}]}", "{'a': '{{#a}}'}", NULL};
		struct error err = {0};
		char *result;

		for (int j = 0; j < 20; j++) {
			random = random * 1664525 + 1013904223;
			strcat(text, pieces[(random >> 16) % COUNT(pieces)]);
		}
		result = render(&sample, &err);
		assert_true((result == NULL) == (err.text[0] != '\0'));
		free(result);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(comments),
		cmocka_unit_test(delimiters),
		cmocka_unit_test(interpolation),
		cmocka_unit_test(escaping),
		cmocka_unit_test(sections),
		cmocka_unit_test(inverted_sections),
		cmocka_unit_test(partials),
		cmocka_unit_test(errors),
		cmocka_unit_test(a_partial_without_end_is_an_error),
		cmocka_unit_test(a_missing_template_is_an_error),
		cmocka_unit_test(hostile_templates),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
