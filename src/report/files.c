/* files.c: see files.h. */
#include "report/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tree/json.h"
#include "util/alloc.h"
#include "util/file/file.h"

#define OLD_LIST ".dbprof-files" /* of an older dbprof: a name in each line */
#define FIGURES "plots/"

/* ---- a list ---- */

void report_files_add(struct report_files *files, const char *format, ...)
{
	va_list args;

	xgrow(&files->names, files->n + 1, &files->room, sizeof(*files->names));
	va_start(args, format);
	files->names[files->n++] = xvasprintf(format, args);
	va_end(args);
	files->names[files->n] = NULL;
}

bool report_files_have(const struct report_files *files, const char *name)
{
	for (size_t i = 0; i < files->n; i++)
		if (strcmp(files->names[i], name) == 0)
			return true;
	return false;
}

const char *const *report_files_list(const struct report_files *files)
{
	static const char *const none[] = {NULL};

	return files->names ? (const char *const *)files->names : none;
}

json_t *report_files_json(const struct report_files *files)
{
	json_t *list = json_array();

	for (size_t i = 0; i < files->n; i++)
		append_json(list, text_json(files->names[i]));
	return list;
}

void report_files_free(struct report_files *files)
{
	for (size_t i = 0; i < files->n; i++)
		free(files->names[i]);
	free(files->names);
	*files = (struct report_files){0};
}

/* ---- names that a report can have ---- */

void report_export_name(char *name, const char *stem, const char *suffix, int recording)
{
	if (recording == 0)
		snprintf(name, REPORT_NAME_SIZE, "%s%s", stem, suffix);
	else
		snprintf(name, REPORT_NAME_SIZE, "%s-%d%s", stem, recording + 1, suffix);
}

static bool is_export(const char *name, const char *stem, const char *suffix)
{
	size_t length = strlen(stem);

	if (strncmp(name, stem, length) != 0)
		return false;
	name += length;
	if (*name == '-')
		name += 1 + strspn(name + 1, "0123456789");
	return strcmp(name, suffix) == 0;
}

static bool is_figure(const char *name)
{
	size_t length = strlen(name);

	return length > 4 && name[0] != '.' && !strchr(name, '/') && strcmp(name + length - 4, ".svg") == 0;
}

static bool is_of_a_report(const char *name)
{
	if (strncmp(name, FIGURES, strlen(FIGURES)) == 0)
		return is_figure(name + strlen(FIGURES));
	return strcmp(name, "index.html") == 0 || strcmp(name, "report.json") == 0 ||
	       strcmp(name, "summary.json") == 0 || strcmp(name, OLD_LIST) == 0 || is_export(name, "trace", ".json") ||
	       is_export(name, "work", ".csv") || is_export(name, "families", ".csv") ||
	       is_export(name, "points", ".csv");
}

/* Whoever made the list: no other names get into ours. */
static void add_listed(struct report_files *files, const char *name)
{
	if (is_of_a_report(name))
		report_files_add(files, "%s", name);
}

/* ---- reading a folder ---- */

static int files_path(char path[PATH_MAX], const char *dir, const char *name, struct error *err)
{
	return snprintf(path, PATH_MAX, "%s/%s", dir, name) < PATH_MAX
		       ? 0
		       : error_set(err, "%s: the name is too long", dir);
}

/* The first bytes of a file in *head, NUL-terminated; "" where there is none. -1 with `err` if it cannot be read. */
static int files_read_head(const char *dir, const char *name, char *head, size_t size, struct error *err)
{
	char path[PATH_MAX];
	ssize_t got;
	int fd;

	head[0] = '\0';
	if (files_path(path, dir, name, err) < 0)
		return -1;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	if (fd < 0)
		return error_system(err, "cannot read %s: %s: %s", path, strerror(errno), file_read_advice(errno));
	got = read(fd, head, size - 1);
	if (got < 0 && errno != EISDIR)
		error_system(err, "cannot read %s: %s", path, strerror(errno));
	else
		head[got > 0 ? got : 0] = '\0', got = 0;
	close(fd);
	return got < 0 ? -1 : 0;
}

static char *files_read_whole(const char *dir, const char *name, struct error *err)
{
	char path[PATH_MAX];

	return files_path(path, dir, name, err) < 0 ? NULL : file_read(path, NULL, err);
}

/* ---- of a report that has a list ---- */

/* 1 and the names, if report.json holds a list where dbprof writes it; else 0; -1 with `err`. The rest of the file may
 * be large and is not looked at. */
static int read_list(const char *dir, struct report_files *files, struct error *err)
{
	static const char key[] = "\n \"files\": ";
	char *text = files_read_whole(dir, "report.json", err), *at = text ? strstr(text, key) : NULL;
	json_t *list = at ? json_loads(at + strlen(key), JSON_DISABLE_EOF_CHECK, NULL) : NULL, *name;
	int found = text ? json_is_array(list) : -1;
	size_t i;

	json_array_foreach(list, i, name)
	{
		if (json_is_string(name))
			add_listed(files, json_string_value(name));
	}
	json_decref(list);
	free(text);
	return found;
}

/* 1 and the names, its own too, if there is such a file; else 0; -1 with `err`. */
static int read_old_list(const char *dir, struct report_files *files, struct error *err)
{
	char head[2], *text, *rest;
	const char *line;

	if (files_read_head(dir, OLD_LIST, head, sizeof(head), err) < 0)
		return -1;
	if (head[0] == '\0')
		return 0;
	text = rest = files_read_whole(dir, OLD_LIST, err);
	while ((line = strsep(&rest, "\n")))
		add_listed(files, line);
	free(text);
	return text ? 1 : -1;
}

/* ---- of one that has none ---- */

/* A figure has its name before its ids; the page links what is for other programs. 1, 0, or -1 with `err`. */
static int is_known(const char *dir, const char *name, const char *page, struct error *err)
{
	const char *base = name + strlen(FIGURES);
	char head[512], text[NAME_MAX + 32];

	if (!is_of_a_report(name))
		return 0;
	snprintf(text, sizeof(text), "=\"%s\"", name);
	if (!strchr(name, '/'))
		return strstr(page, text) != NULL;
	if (files_read_head(dir, name, head, sizeof(head), err) < 0)
		return -1;
	snprintf(text, sizeof(text), "=\"%.*s-title", (int)strlen(base) - 4, base);
	return strstr(head, text) != NULL;
}

static int add_known(
	const char *dir, const char *folder, const char *page, struct report_files *files, struct error *err)
{
	char path[PATH_MAX], name[NAME_MAX + 16];
	const struct dirent *entry;
	DIR *list;
	int rc = 0;

	if (files_path(path, dir, folder, err) < 0)
		return -1;
	list = opendir(path);
	if (!list)
		return errno == ENOENT || errno == ENOTDIR
			       ? 0
			       : error_system(err, "cannot read %s: %s", path, strerror(errno));
	while (rc >= 0 && (entry = readdir(list))) {
		snprintf(name, sizeof(name), "%s%s", folder, entry->d_name);
		rc = is_known(dir, name, page, err);
		if (rc > 0)
			report_files_add(files, "%s", name);
	}
	closedir(list);
	return rc < 0 ? -1 : 0;
}

/* The page, for free(), and its name into the list; "" if there is none, or somebody's own. NULL with `err`. */
static char *find_page(const char *dir, struct report_files *files, struct error *err)
{
	char head[512];

	if (files_read_head(dir, "index.html", head, sizeof(head), err) < 0)
		return NULL;
	if (!strstr(head, "<meta name=\"generator\" content=\"dbprof "))
		return xstrdup("");
	report_files_add(files, "index.html");
	return files_read_whole(dir, "index.html", err);
}

static int find_known(const char *dir, struct report_files *files, struct error *err)
{
	char *page = find_page(dir, files, err);
	int rc = page ? 0 : -1;

	report_files_add(files, "report.json");
	if (rc == 0)
		rc = add_known(dir, "", page, files, err);
	if (rc == 0)
		rc = add_known(dir, FIGURES, page, files, err);
	free(page);
	return rc;
}

int report_files_there(const char *dir, struct report_files *files, struct error *err)
{
	char head[64];
	int found;

	if (files_read_head(dir, "report.json", head, sizeof(head), err) < 0)
		return -1;
	if (!strstr(head, "\"format\": \"dbprof-report\""))
		return 0;
	found = read_list(dir, files, err);
	if (found == 0)
		found = read_old_list(dir, files, err);
	return found == 0 ? find_known(dir, files, err) : found < 0 ? -1 : 0;
}
