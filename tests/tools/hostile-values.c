/*
 * hostile-values.c: whether what was put into a file by hostile-spoil.c is in what dbprof writes, to the letter.
 * usage: hostile-values PLACES UNHARMED SPOILED FILE... texts of the JSON files in folder SPOILED, and cells of the CSV
 *                                                      files (.csv, read by RFC 4180), against those of UNHARMED
 *        hostile-values terminal FILE...               nothing that could steer a terminal
 *        hostile-values gnuplot FILE...                commands: calls of scripts with quoted arguments, and no other
 *
 * Where the output of a harmless recording (hostile-spoil with SHIFT -1) has "harmless7" as a whole text, the other has
 * to have the text of place 7: the very text in CSV but for the apostrophe in front of what a spreadsheet would
 * compute; in JSON with U+FFFD for what XML cannot hold. Of a name above NAME_MOST bytes a part will do, and of a path
 * its last step, as of a program. Status 1 if anything is wrong, with a line for each.
 */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FAULTS = 20, NAME_MOST = 500, PART = 60 };

static int faults, found; /* texts where they had to be looked for */

static void fault(const char *path, const char *what, const char *detail)
{
	if (faults++ < MAX_FAULTS)
		printf("%s: %s: %.80s\n", path, what, detail);
}

static char *contents(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	char *text = NULL;
	long length;

	if (file && fseek(file, 0, SEEK_END) == 0 && (length = ftell(file)) >= 0 && fseek(file, 0, SEEK_SET) == 0 &&
		(text = calloc((size_t)length + 1, 1)) && fread(text, 1, (size_t)length, file) == (size_t)length) {
		*size = (size_t)length;
		fclose(file);
		return text;
	}
	fprintf(stderr, "hostile-values: %s cannot be read\n", path);
	exit(2);
}

/* ---- JSON ---- */

static void collect(const json_t *value, json_t *texts)
{
	const char *key;
	json_t *each;
	size_t i;

	if (json_is_string(value))
		json_object_setn_new(texts, json_string_value(value), json_string_length(value), json_true());
	json_array_foreach(value, i, each) collect(each, texts);
	json_object_foreach((json_t *)value, key, each)
	{
		json_object_set_new(texts, key, json_true());
		collect(each, texts);
	}
}

static json_t *texts_of_json(const char *path)
{
	json_error_t error;
	json_t *tree = json_load_file(path, JSON_REJECT_DUPLICATES, &error), *texts = json_object();

	if (!tree)
		fault(path, "no JSON", error.text);
	collect(tree, texts);
	json_decref(tree);
	return texts;
}

/* ---- CSV ---- */

/* Reads one cell and returns what follows it, a comma or CR LF. */
static const char *cell(const char *path, const char *at, json_t *texts)
{
	char *value = malloc(strlen(at) + 1), *to = value;

	if (*at == '"') {
		for (at++; *at != '\0' && !(*at == '"' && at[1] != '"'); at++) {
			at += *at == '"';
			*to++ = *at;
		}
		if (*at++ != '"')
			fault(path, "a quote that does not end", value);
	} else {
		for (; *at != '\0' && *at != ',' && strncmp(at, "\r\n", 2) != 0; at++) {
			if (strchr("\"\r\n", *at))
				fault(path, "a cell that needs quotes", at);
			*to++ = *at;
		}
		if (to > value && strchr("=+@\t\r", *value))
			fault(path, "a cell that a spreadsheet would compute", value);
	}
	*to = '\0';
	json_object_set_new(texts, value, json_true());
	free(value);
	return at;
}

static json_t *texts_of_csv(const char *path)
{
	size_t size, columns = 0;
	char *text = contents(path, &size);
	json_t *texts = json_object();

	if (strlen(text) != size)
		fault(path, "a NUL", "");
	for (const char *at = text; *at != '\0';) {
		size_t cells = 1;

		for (at = cell(path, at, texts); *at == ','; cells++)
			at = cell(path, at + 1, texts);
		if (columns > 0 && cells != columns)
			fault(path, "a row with another number of cells", at);
		columns = columns > 0 ? columns : cells;
		if (strncmp(at, "\r\n", 2) != 0) {
			fault(path, "a row that does not end", at);
			break;
		}
		at += 2;
	}
	free(text);
	return texts;
}

/* ---- what must be there ---- */

/* As JSON and pages have it: what XML cannot hold becomes U+FFFD. */
static char *as_in_json(const char *text)
{
	char *copy = malloc(3 * strlen(text) + 1), *to = copy;

	for (; *text != '\0'; text++) {
		bool control = (unsigned char)*text < ' ' && !strchr("\t\n\r", *text);
		bool none = strncmp(text, "\xEF\xBF\xBE", 3) == 0 || strncmp(text, "\xEF\xBF\xBF", 3) == 0;

		if (control || none)
			to = stpcpy(to, "\xEF\xBF\xBD");
		else
			*to++ = *text;
		text += none ? 2 : 0;
	}
	*to = '\0';
	return copy;
}

static char *as_in_csv(const char *text)
{
	char *copy = malloc(strlen(text) + 2);

	sprintf(copy, "%s%s", *text != '\0' && strchr("=+-@\t\r", *text) ? "'" : "", text);
	return copy;
}

/* Whether a text is there: as it is, cleaned, cut short if it is very long, or the last step of a path. */
static bool is_there(const json_t *texts, const char *text, bool csv)
{
	char *clean = as_in_json(text), *cell = as_in_csv(text);
	const char *step = strrchr(clean, '/'), *key;
	bool there = json_object_get(texts, clean) || json_object_get(texts, csv ? cell : text) ||
		     (step && step[1] != '\0' && json_object_get(texts, step + 1));
	json_t *value;

	if (!there && strlen(text) > NAME_MOST)
		json_object_foreach((json_t *)texts, key, value) there |= strncmp(key, text, PART) == 0;
	free(clean);
	free(cell);
	return there;
}

static void compare(const char *path, const json_t *places, const json_t *unharmed, const json_t *spoiled, bool csv)
{
	size_t i;
	json_t *place;

	json_array_foreach(places, i, place)
	{
		const char *is = json_string_value(json_object_get(place, "is"));
		char was[32];

		snprintf(was, sizeof was, "harmless%zu", i);
		if (json_object_get(unharmed, was)) {
			found++;
			if (!is_there(spoiled, is, csv))
				fault(path, json_string_value(json_object_get(place, "text")), is);
		}
	}
}

static void check_file(const json_t *places, const char *unharmed_folder, const char *folder, const char *name)
{
	bool csv = strstr(name, ".csv") != NULL;
	char old_path[4096], path[4096];

	snprintf(old_path, sizeof old_path, "%s/%s", unharmed_folder, name);
	snprintf(path, sizeof path, "%s/%s", folder, name);
	json_t *unharmed = csv ? texts_of_csv(old_path) : texts_of_json(old_path);
	json_t *spoiled = csv ? texts_of_csv(path) : texts_of_json(path);

	compare(path, places, unharmed, spoiled, csv);
	json_decref(unharmed);
	json_decref(spoiled);
}

static int check_texts(char **arguments, int n)
{
	json_t *root = json_load_file(arguments[0], 0, NULL);

	if (!root)
		return 2;
	for (int i = 3; i < n; i++)
		check_file(json_object_get(root, "places"), arguments[1], arguments[2], arguments[i]);
	json_decref(root);
	if (found == 0)
		fault(arguments[2], "no place was found", "");
	return faults > 0;
}

/* ---- terminals ---- */

static void check_terminal(const char *path)
{
	size_t size;
	char *text = contents(path, &size);
	json_t *valid = json_stringn(text, size);

	if (!valid)
		fault(path, "no valid UTF-8", "");
	for (size_t i = 0; i < size; i++) {
		unsigned char c = (unsigned char)text[i], next = (unsigned char)text[i + 1];

		if ((c < ' ' && c != '\n') || c == 0x7f || (c == 0xC2 && next >= 0x80 && next < 0xA0))
			fault(path, "a control character", "");
		if (c == 0xE2 &&
			(strncmp(text + i, "\xE2\x80\xAE", 3) == 0 || strncmp(text + i, "\xE2\x81\xA6", 3) == 0 ||
				strncmp(text + i, "\xE2\x80\xA8", 3) == 0))
			fault(path, "a mark that reorders or breaks the line", "");
	}
	json_decref(valid);
	free(text);
}

/* ---- gnuplot ---- */

/* One argument: in double quotes, with octal escapes for all that gnuplot could act on. NULL if it is not so. */
static const char *argument(const char *at)
{
	if (*at++ != '"')
		return NULL;
	for (; *at != '"'; at++) {
		if (*at == '\0' || strchr("'`@$\n", *at))
			return NULL;
		if (*at == '\\' && (strspn(at + 1, "01234567") < 3))
			return NULL;
	}
	return at + 1;
}

/* SINGLE = "#D55E00" */
static bool is_color(const char *line)
{
	size_t name = strspn(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

	return name > 0 && strncmp(line + name, " = \"#", 5) == 0 && strspn(line + name + 5, "0123456789ABCDEF") == 6 &&
	       strcmp(line + name + 11, "\"") == 0;
}

static bool is_command(const char *line)
{
	static const char *const fixed[] = {
		"reset session", "set encoding utf8", "unset output", "set print", "print 'dbprof-figure-done'"};
	const char *at = line;

	for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
		if (strcmp(line, fixed[i]) == 0)
			return true;
	if (is_color(line))
		return true;
	if (strncmp(line, "call ", 5) != 0)
		return strncmp(line, "print '", 7) == 0 &&
		       strspn(line + 7, "abcdefghijklmnopqrstuvwxyz-_ ") == strlen(line) - 8;
	for (at += 5; at && *at != '\0'; at += at && *at == ' ')
		at = argument(at);
	return at != NULL;
}

static void check_gnuplot(const char *path)
{
	size_t size;
	char *text = contents(path, &size), *next;

	for (char *line = text; *line != '\0'; line = next) {
		next = line + strcspn(line, "\n");
		if (*next != '\0')
			*next++ = '\0';
		if (!is_command(line))
			fault(path, "no command that dbprof gives", line);
	}
	free(text);
}

int main(int argc, char **argv)
{
	if (argc >= 5 && strcmp(argv[1], "terminal") != 0 && strcmp(argv[1], "gnuplot") != 0)
		return check_texts(argv + 1, argc - 1);
	for (int i = 2; i < argc; i++) {
		if (strcmp(argv[1], "terminal") == 0)
			check_terminal(argv[i]);
		else if (strcmp(argv[1], "gnuplot") == 0)
			check_gnuplot(argv[i]);
		else
			return 2;
	}
	return argc < 3 ? 2 : faults > 0;
}
