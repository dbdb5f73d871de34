/* place.c: see place.h. */
#include "report/place.h"

#include <stdlib.h>
#include <string.h>

#define BOTH "both.json" /* report.json while files of the older report are still there */

/* Of an older report what the new one has not. */
static struct report_files stale_files(const struct report_files *made, const struct report_files *older)
{
	struct report_files stale = {0};

	for (size_t i = 0; i < older->n; i++)
		if (!report_files_have(made, older->names[i]))
			report_files_add(&stale, "%s", older->names[i]);
	return stale;
}

static int write_json(
	const struct outdir *out, const char *name, json_t *tree, const struct report_files *files, struct error *err)
{
	char *text;
	int rc;

	json_object_set_new(tree, "files", report_files_json(files));
	text = json_dumps(tree, JSON_INDENT(1));
	rc = outdir_write(out, name, text, strlen(text), err);
	free(text);
	return rc;
}

/* While stale files are there, a list has them too. */
static int write_both(const struct outdir *out, json_t *tree, const struct report_files *made,
	const struct report_files *stale, struct error *err)
{
	struct report_files both = {0};
	int rc;

	for (size_t i = 0; i < made->n; i++)
		report_files_add(&both, "%s", made->names[i]);
	for (size_t i = 0; i < stale->n; i++)
		report_files_add(&both, "%s", stale->names[i]);
	rc = write_json(out, BOTH, tree, &both, err);
	report_files_free(&both);
	return rc;
}

/* From here on nothing has to be written, only moved. */
static int move_all(
	const struct outdir *out, const struct report_files *made, const struct report_files *stale, struct error *err)
{
	if (outdir_move(out, stale->n > 0 ? BOTH : "report.json", "report.json", err) < 0)
		return -1;
	for (size_t i = 0; i < made->n; i++) {
		const char *name = made->names[i];

		if (strcmp(name, "report.json") != 0 && strcmp(name, "index.html") != 0 &&
			outdir_move(out, name, name, err) < 0)
			return -1;
	}
	if (outdir_move(out, "index.html", "index.html", err) < 0)
		return -1;
	for (size_t i = 0; i < stale->n; i++)
		outdir_remove(out, stale->names[i]);
	return stale->n > 0 ? outdir_move(out, "report.json", "report.json", err) : 0;
}

static int replace_files(const struct outdir *out, json_t *tree, const struct report_files *made,
	const struct report_files *older, struct error *err)
{
	struct report_files stale = stale_files(made, older);
	int rc = stale.n > 0 ? write_both(out, tree, made, &stale, err) : 0;

	if (rc == 0)
		rc = write_json(out, "report.json", tree, made, err);
	if (rc == 0)
		rc = move_all(out, made, &stale, err);
	/* Half of a report where none was is of no use. */
	for (size_t i = 0; rc < 0 && older->n == 0 && i < made->n; i++)
		outdir_remove(out, made->names[i]);
	report_files_free(&stale);
	return rc;
}

enum report_status report_check_places(
	const char *dir, const char *const *names, struct report_files *older, struct error *err)
{
	if (report_files_there(dir, older, err) < 0)
		return REPORT_FAILED;
	return outdir_check(dir, names, report_files_list(older), err) < 0 ? REPORT_BAD_INPUT : REPORT_DONE;
}

enum report_status report_place(
	struct outdir *out, const char *dir, json_t *tree, const struct report_files *made, struct error *err)
{
	struct report_files older = {0};
	enum report_status status = REPORT_FAILED;

	if (outdir_lock(out, err) == 0)
		status = report_check_places(dir, report_files_list(made), &older, err);
	if (status == REPORT_DONE && replace_files(out, tree, made, &older, err) < 0)
		status = REPORT_FAILED;
	report_files_free(&older);
	return status;
}
