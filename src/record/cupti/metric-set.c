/* metric-set.c: see metric-set.h. */
#include "record/cupti/metric-set.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"
#include "util/file/datafile.h"
#include "util/file/file.h"
#include "util/formula.h"

/* ---- the lines of a file ---- */

struct parser {
	struct metric_set *set;
	char *at; /* the next line */
	int line;
	size_t names_used;
	bool too_many; /* metrics */
	struct error *err;
};

static int metric_set_wrong(const struct parser *p, const char *what, const char *which)
{
	return error_set(p->err, "%s.set, line %d: %s %s", p->set->name, p->line, what, which);
}

/* Cuts the next line that is not empty into keyword and rest. False at the end. */
static bool next_line(struct parser *p, char **word, char **rest)
{
	while (*p->at != '\0') {
		char *line = p->at, *end = line + strcspn(line, "\n");

		p->at = *end == '\0' ? end : end + 1;
		p->line++;
		while (end > line && isspace((unsigned char)end[-1]))
			end--;
		*end = '\0';
		line += strspn(line, " \t");
		if (*line == '\0' || *line == '#')
			continue;
		*word = line;
		*rest = line + strcspn(line, " \t");
		if (**rest != '\0') {
			*(*rest)++ = '\0';
			*rest += strspn(*rest, " \t");
		}
		return true;
	}
	return false;
}

/* ---- metrics ---- */

static bool has_metric(const struct metric_set *set, const char *name, size_t length)
{
	for (int i = 0; i < set->nmetrics; i++)
		if (strlen(set->metrics[i]) == length && memcmp(set->metrics[i], name, length) == 0)
			return true;
	return false;
}

/* A lookup that notes the names. Its value does not matter. */
static double note_metric(void *user, const char *name, size_t length)
{
	struct parser *p = user;
	struct metric_set *set = p->set;

	if (has_metric(set, name, length))
		return 1;
	if (set->nmetrics == METRIC_SET_METRICS) {
		p->too_many = true;
		return 1;
	}
	/* `names` has room for the whole file, and each name stands in it once at most. */
	set->metrics[set->nmetrics++] = memcpy(set->names + p->names_used, name, length);
	p->names_used += length;
	set->names[p->names_used++] = '\0';
	return 1;
}

static int take_formula(struct parser *p, const char *formula)
{
	struct error err = {0};
	double ignored;

	if (formula_evaluate(formula, note_metric, p, &ignored, &err) < 0)
		return metric_set_wrong(p, "no formula:", err.text);
	return p->too_many ? metric_set_wrong(p, "too many metrics with", formula) : 0;
}

/* ---- keywords ---- */

static int take_pass(struct parser *p, const char *rest)
{
	if (strcmp(rest, "counters") == 0)
		p->set->pass = PASS_COUNTERS;
	else if (strcmp(rest, "pm") == 0)
		p->set->pass = PASS_PM;
	else
		return metric_set_wrong(p, "pass is counters or pm, not", rest);
	return 0;
}

static int take_number(const struct parser *p, const char *rest, int *out)
{
	char *end;
	long number = strtol(rest, &end, 10);

	if (end == rest || *end != '\0' || number < 1 || number > 1000)
		return metric_set_wrong(p, "not a number from 1 to 1000:", rest);
	*out = (int)number;
	return 0;
}

static int metric_set_take_head(struct parser *p, const char *word, const char *rest)
{
	if (strcmp(word, "title") == 0)
		p->set->title = rest;
	else if (strcmp(word, "pass") == 0)
		return take_pass(p, rest);
	else if (strcmp(word, "order") == 0)
		return take_number(p, rest, &p->set->order);
	else if (strcmp(word, "passes") == 0)
		return take_number(p, rest, &p->set->passes);
	else
		return metric_set_wrong(p, "before the first value there is no keyword", word);
	return 0;
}

static int begin_value(struct parser *p, const char *key)
{
	if (p->set->nvalues == METRIC_SET_VALUES)
		return metric_set_wrong(p, "too many values with", key);
	if (key[strspn(key, "abcdefghijklmnopqrstuvwxyz0123456789_")] != '\0')
		return metric_set_wrong(p, "a value's name is of a-z, 0-9 and _, not", key);
	p->set->values[p->set->nvalues++] = (struct derived_metric){.key = key, .lacking = ""};
	return 0;
}

static int take_body(struct parser *p, const char *word, const char *rest)
{
	struct derived_metric *value = &p->set->values[p->set->nvalues - 1];

	if (strcmp(word, "title") == 0)
		value->title = rest;
	else if (strcmp(word, "unit") == 0)
		value->unit = rest;
	else if (strcmp(word, "meaning") == 0)
		value->meaning = rest;
	else if (strcmp(word, "lacking") == 0)
		value->lacking = rest;
	else if (strcmp(word, "formula") == 0)
		return take_formula(p, value->formula = rest);
	else
		return metric_set_wrong(p, "there is no keyword", word);
	return 0;
}

static int metric_set_take_line(struct parser *p, const char *word, const char *rest)
{
	if (*rest == '\0')
		return metric_set_wrong(p, "nothing follows", word);
	if (strcmp(word, "value") == 0)
		return begin_value(p, rest);
	return p->set->nvalues == 0 ? metric_set_take_head(p, word, rest) : take_body(p, word, rest);
}

/* ---- whole sets ---- */

static int metric_set_check(const struct parser *p)
{
	const struct metric_set *set = p->set;

	if (!set->title || set->order == 0 || set->passes == 0 || set->pass == PASS_VERIFY)
		return error_set(p->err, "%s.set: title, pass, order or passes is missing", set->name);
	if (set->nvalues == 0)
		return error_set(p->err, "%s.set: there is no value", set->name);
	for (int i = 0; i < set->nvalues; i++) {
		const struct derived_metric *v = &set->values[i];

		if (!v->title || !v->unit || !v->formula || !v->meaning)
			return error_set(
				p->err, "%s.set: title, unit, formula or meaning of %s is missing", set->name, v->key);
	}
	return 0;
}

static int pass_metric_set_parse(struct parser *p)
{
	char *word, *rest;

	while (next_line(p, &word, &rest))
		if (metric_set_take_line(p, word, rest) < 0)
			return -1;
	return metric_set_check(p);
}

int metric_set_parse(const char *name, const char *text, struct metric_set *out, struct error *err)
{
	struct parser p = {.set = out, .err = err};

	*out = (struct metric_set){.pass = PASS_VERIFY, .text = xstrdup(text), .names = xmalloc(2 * strlen(text) + 1)};
	snprintf(out->name, sizeof(out->name), "%s", name);
	p.at = out->text;
	if (pass_metric_set_parse(&p) == 0)
		return 0;
	metric_set_free(out);
	return -1;
}

void metric_set_free(struct metric_set *set)
{
	free(set->text);
	free(set->names);
	*set = (struct metric_set){0};
}

/* ---- the folder ---- */

static int metric_set_is_set(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return length > 4 && entry->d_name[0] != '.' && strcmp(entry->d_name + length - 4, ".set") == 0;
}

static int read_set(const char *folder, const char *file, struct metric_set *out, struct error *err)
{
	char path[PATH_MAX], name[NAME_MAX + 1];
	char *text;
	int result;

	snprintf(name, sizeof(name), "%.*s", (int)strlen(file) - 4, file);
	if ((size_t)snprintf(path, sizeof(path), "%s/%s", folder, file) >= sizeof(path))
		return error_set(err, "%s/%s: the name is too long", folder, file);
	text = file_read(path, NULL, err);
	if (!text)
		return -1;
	result = metric_set_parse(name, text, out, err);
	free(text);
	return result;
}

static int by_order(const void *left, const void *right)
{
	const struct metric_set *a = left, *b = right;

	return a->order != b->order ? (a->order > b->order) - (a->order < b->order) : strcmp(a->name, b->name);
}

/* Keeps the sets of the pass. */
static int read_sets(const char *folder, struct dirent **entries, int count, enum pass pass, struct metric_set *sets,
	int *n, struct error *err)
{
	for (int i = 0; i < count; i++) {
		if (read_set(folder, entries[i]->d_name, &sets[*n], err) < 0)
			return -1;
		if (sets[*n].pass == pass)
			++*n;
		else
			metric_set_free(&sets[*n]);
	}
	qsort(sets, (size_t)*n, sizeof(*sets), by_order);
	return *n > 0 ? 0 : error_set(err, "no metric set for this pass in %s", folder);
}

int metric_sets_load(enum pass pass, struct metric_set **sets, int *n, struct error *err)
{
	struct dirent **entries = NULL;
	char folder[PATH_MAX];
	int count, result;

	*sets = NULL;
	*n = 0;
	if (datafile_find("metrics", folder, sizeof(folder), err) < 0)
		return -1;
	count = scandir(folder, &entries, metric_set_is_set, alphasort);
	if (count < 0)
		return error_set(err, "cannot read %s: %s", folder, strerror(errno));
	*sets = xcalloc((size_t)count + 1, sizeof(**sets));
	result = read_sets(folder, entries, count, pass, *sets, n, err);
	for (int i = 0; i < count; i++)
		free(entries[i]);
	free(entries);
	if (result < 0) {
		metric_sets_free(*sets, *n);
		*sets = NULL;
		*n = 0;
	}
	return result;
}

void metric_sets_free(struct metric_set *sets, int n)
{
	for (int i = 0; i < n; i++)
		metric_set_free(&sets[i]);
	free(sets);
}

static void add_metrics(const struct metric_set *set, const char **metrics, int *n)
{
	for (int i = 0; i < set->nmetrics; i++) {
		int j = 0;

		while (j < *n && strcmp(metrics[j], set->metrics[i]) != 0)
			j++;
		if (j == *n)
			metrics[(*n)++] = set->metrics[i];
	}
}

const char **metric_sets_metrics(const struct metric_set *sets, int nsets, int *n)
{
	const char **metrics = xcalloc((size_t)nsets * METRIC_SET_METRICS, sizeof(*metrics));

	*n = 0;
	for (int i = 0; i < nsets; i++)
		add_metrics(&sets[i], metrics, n);
	return metrics;
}
