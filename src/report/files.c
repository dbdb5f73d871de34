/* files.c: see report-files.h. */
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

#include "tree/tree.h"
#include "util/file.h"
#include "util/memory-stream.h"

#define LIST ".dbprof-files" /* a name in each line */
#define FIGURES "plots"

/* ---- a list ---- */

static int no_memory(struct error *err)
{
	return error_system(err, "not enough memory for the report");
}

static int files_add(struct report_files *files, struct error *err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static int files_add(struct report_files *files, struct error *err, const char *format, ...)
{
	char **names = realloc(files->names, (files->n + 2) * sizeof(*names));
	va_list args;

	if (!names)
		return no_memory(err);
	files->names = names;
	va_start(args, format);
	if (vasprintf(&names[files->n], format, args) < 0)
		names[files->n] = NULL;
	va_end(args);
	if (!names[files->n])
		return no_memory(err);
	names[++files->n] = NULL;
	return 0;
}

const char *const *report_files_list(const struct report_files *files)
{
	static const char *const none[] = {NULL};

	return files->names ? (const char *const *)files->names : none;
}

void report_files_free(struct report_files *files)
{
	for (size_t i = 0; i < files->n; i++)
		free(files->names[i]);
	free(files->names);
	*files = (struct report_files){0};
}

void report_export_name(char *name, const char *stem, const char *suffix, int recording)
{
	if (recording == 0)
		snprintf(name, REPORT_NAME_SIZE, "%s%s", stem, suffix);
	else
		snprintf(name, REPORT_NAME_SIZE, "%s-%d%s", stem, recording + 1, suffix);
}

/* ---- names that a report can have ---- */

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
	if (strncmp(name, FIGURES "/", strlen(FIGURES "/")) == 0)
		return is_figure(name + strlen(FIGURES "/"));
	return strcmp(name, "index.html") == 0 || strcmp(name, "report.json") == 0 || strcmp(name, LIST) == 0 ||
	       is_export(name, "trace", ".json") || is_export(name, "work", ".csv");
}

/* ---- what is made ---- */

static int files_by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int add_figures(const struct outdir *out, struct report_files *files, struct error *err)
{
	char path[PATH_MAX];
	const struct dirent *entry;
	DIR *dir;
	int rc = 0;

	if (snprintf(path, sizeof(path), "%s/" FIGURES, outdir_path(out)) >= (int)sizeof(path))
		return error_set(err, "%s: the name is too long", outdir_path(out));
	dir = opendir(path);
	if (!dir)
		return error_system(err, "cannot read %s: %s", path, strerror(errno));
	while (rc == 0 && (entry = readdir(dir)))
		if (is_figure(entry->d_name))
			rc = files_add(files, err, FIGURES "/%s", entry->d_name);
	closedir(dir);
	if (files->n > 1)
		qsort(files->names, files->n, sizeof(*files->names), files_by_name);
	return rc;
}

static int add_exports(const json_t *exports, struct report_files *files, struct error *err)
{
	json_t *export;
	size_t i;

	json_array_foreach(exports, i, export)
	{
		if (!json_object_get(export, "trace"))
			continue;
		if (files_add(files, err, "%s", tree_text(export, "trace")) < 0 ||
			files_add(files, err, "%s", tree_text(export, "table")) < 0)
			return -1;
	}
	return 0;
}

static int files_write_list(const struct outdir *out, const struct report_files *files, struct error *err)
{
	char *text = NULL;
	size_t size;
	FILE *stream = memory_stream(&text, &size);
	int rc;

	if (!stream)
		return no_memory(err);
	for (size_t i = 0; i < files->n; i++)
		fprintf(stream, "%s\n", files->names[i]);
	rc = fclose(stream) == 0 ? outdir_write(out, LIST, text, size, err) : no_memory(err);
	free(text);
	return rc;
}

int report_files_made(const struct outdir *out, const json_t *exports, struct report_files *files, struct error *err)
{
	if (add_figures(out, files, err) < 0 || add_exports(exports, files, err) < 0)
		return -1;
	if (files_add(files, err, LIST) < 0 || files_add(files, err, "report.json") < 0 ||
		files_add(files, err, "index.html") < 0)
		return -1;
	return files_write_list(out, files, err);
}

/* ---- what is there ---- */

/* The first bytes of a file in *head, NUL-terminated; "" where there is none. -1 with `err` if it cannot be read. */
static int files_read_head(const char *dir, const char *name, char *head, size_t size, struct error *err)
{
	char path[PATH_MAX];
	ssize_t got = -1;
	int fd;

	head[0] = '\0';
	if (snprintf(path, sizeof(path), "%s/%s", dir, name) >= (int)sizeof(path))
		return error_set(err, "%s: the name is too long", dir);
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

/* 1 if report.json is that of a report, else 0; -1 with `err`. */
static int is_report(const char *dir, struct error *err)
{
	char head[64];

	if (files_read_head(dir, "report.json", head, sizeof(head), err) < 0)
		return -1;
	return strstr(head, "\"format\": \"dbprof-report\"") != NULL;
}

static char *files_read_whole(const char *dir, const char *name, struct error *err)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return file_read(path, NULL, err);
}

static int files_read_list(const char *dir, struct report_files *files, struct error *err)
{
	char *text = files_read_whole(dir, LIST, err), *rest = text;
	const char *line;
	int rc = text ? 0 : -1;

	/* The list may be anybody's. */
	while (rc == 0 && (line = strsep(&rest, "\n")))
		if (is_of_a_report(line))
			rc = files_add(files, err, "%s", line);
	free(text);
	return rc;
}

/* ---- of an older dbprof, that left no list ---- */

/* A figure has its name before its ids; the page links what is for other programs. 1, 0, or -1 with `err`. */
static int is_known(const char *dir, const char *name, const char *page, struct error *err)
{
	const char *base = name + strlen(FIGURES "/");
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

	if (snprintf(path, sizeof(path), "%s/%s", dir, folder) >= (int)sizeof(path))
		return error_set(err, "%s: the name is too long", dir);
	list = opendir(path);
	if (!list)
		return errno == ENOENT || errno == ENOTDIR
			       ? 0
			       : error_system(err, "cannot read %s: %s", path, strerror(errno));
	while (rc >= 0 && (entry = readdir(list))) {
		snprintf(name, sizeof(name), "%s%s", folder, entry->d_name);
		rc = is_known(dir, name, page, err);
		if (rc > 0)
			rc = files_add(files, err, "%s", name);
	}
	closedir(list);
	return rc < 0 ? -1 : 0;
}

/* The page, for free(), and its name into the list; "" if there is none, or somebody's own. NULL with `err`. */
static char *find_page(const char *dir, struct report_files *files, struct error *err)
{
	char head[512], *page;

	if (files_read_head(dir, "index.html", head, sizeof(head), err) < 0)
		return NULL;
	if (strstr(head, "<meta name=\"generator\" content=\"dbprof "))
		return files_add(files, err, "index.html") < 0 ? NULL : files_read_whole(dir, "index.html", err);
	page = strdup("");
	if (!page)
		no_memory(err);
	return page;
}

static int find_known(const char *dir, struct report_files *files, struct error *err)
{
	char *page = find_page(dir, files, err);
	int rc = page ? files_add(files, err, "report.json") : -1;

	if (rc == 0)
		rc = add_known(dir, "", page, files, err);
	if (rc == 0)
		rc = add_known(dir, FIGURES "/", page, files, err);
	free(page);
	return rc;
}

int report_files_there(const char *dir, struct report_files *files, struct error *err)
{
	char head[2];
	int found = is_report(dir, err);

	if (found <= 0)
		return found;
	if (files_read_head(dir, LIST, head, sizeof(head), err) < 0)
		return -1;
	return head[0] != '\0' ? files_read_list(dir, files, err) : find_known(dir, files, err);
}
