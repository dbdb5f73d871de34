/* processes.c: the processes of a traced program in the head of its page, and what is missing of them. */
#include "page/view/view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"

enum { NAMED_PROCESSES = 4, TEXT_SIZE = 1024 };

char *view_process(const struct view *view, double pid, char *text, size_t size)
{
	const json_t *processes = json_object_get(json_object_get(view->recording, "program"), "processes");
	const char *name = "";

	for (size_t i = 0; i < json_array_size(processes); i++) {
		if (tree_real(json_array_get(processes, i), "pid") == pid)
			name = tree_text(json_array_get(processes, i), "name");
	}
	if (*name)
		clip_print(text, size, "%.200s (process %.0f)", name, pid);
	else
		snprintf(text, size, "process %.0f", pid);
	return text;
}

/* "python3 (process 5001), ...", of the first ones. */
json_t *view_process_names(struct view *view, const json_t *processes)
{
	size_t n = json_array_size(processes);
	char text[TEXT_SIZE] = "", one[256];

	for (size_t i = 0; i < n && i < NAMED_PROCESSES; i++)
		clip_append(text, sizeof(text), "%s%s", i > 0 ? ", " : "",
			view_process(view, tree_real(json_array_get(processes, i), "pid"), one, sizeof(one)));
	return n > NAMED_PROCESSES ? view_text("%s and %zu more", text, n - NAMED_PROCESSES) : view_text("%s", text);
}

static double sum_of(const json_t *list, const char *key)
{
	double sum = 0;

	for (size_t i = 0; i < json_array_size(list); i++)
		sum += tree_real(json_array_get(list, i), key);
	return sum;
}

json_t *view_work_counts(const json_t *program)
{
	char kernels[FORMAT_SIZE], copies[FORMAT_SIZE];

	const json_t *rest = json_object_get(program, "kernels_left_out");

	format_count(kernels, sizeof(kernels),
		sum_of(json_object_get(program, "kernels"), "count") + fmax(0, tree_real(rest, "count")));
	format_count(copies, sizeof(copies), sum_of(json_object_get(program, "copies"), "count"));
	return view_text("%s kernels, %s copies", kernels, copies);
}

static void processes_add_missing(struct view *view, json_t *list, const json_t *process, const char *what)
{
	char name[256];

	size_t length = strlen(what);

	append_json(list, view_text("%s: %s%s", view_process(view, tree_real(process, "pid"), name, sizeof(name)), what,
				  length > 0 && what[length - 1] == '.' ? "" : "."));
}

static void missing_of(struct view *view, json_t *list, const json_t *process)
{
	double dropped = tree_real(process, "dropped"), untimed = tree_real(process, "untimed");
	char text[TEXT_SIZE], count[FORMAT_SIZE];

	if (tree_has(process, "note"))
		processes_add_missing(view, list, process, tree_text(process, "note"));
	else if (json_is_false(json_object_get(process, "finished")))
		processes_add_missing(view, list, process,
			"it ended neither by returning nor by exit(), so records of its last moments may be missing");
	if (dropped > 0) {
		snprintf(text, sizeof(text), "the profiler lost %s record%s, which all numbers here lack",
			format_count(count, sizeof(count), dropped), dropped == 1 ? "" : "s");
		processes_add_missing(view, list, process, text);
	}
	if (untimed > 0) {
		snprintf(text, sizeof(text), "%s record%s no usable times and %s left out",
			format_count(count, sizeof(count), untimed), untimed == 1 ? " has" : "s have",
			untimed == 1 ? "is" : "are");
		processes_add_missing(view, list, process, text);
	}
}

void view_missing(struct view *view, json_t *page)
{
	const json_t *processes = json_object_get(json_object_get(view->recording, "program"), "processes");
	json_t *list = json_array();

	for (size_t i = 0; i < json_array_size(processes); i++)
		missing_of(view, list, json_array_get(processes, i));
	view_put_list(page, "missing", list);
}
