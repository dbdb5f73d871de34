/* folder.c: see folder.h. */
#include "export/folder.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "export/file.h"
#include "util/alloc.h"
#include "util/file/outdir.h"
#include "util/file/outfile.h"

/* Tables in the making. */
struct table_folder {
	const char *path;
	struct outdir *out;
	char *name[EXPORT_TABLES + 1]; /* "work.csv" ...; owned; ended by NULL */
	bool is_new;
	int moved; /* how many tables are in their places */
};

static int folder_write_table(const struct table_folder *folder, int table, const struct export_options *options,
	struct store *store, struct export_result *result, struct error *err)
{
	struct export_options one = *options;
	char *path = xasprintf("%s/%s", outdir_path(folder->out), folder->name[table]);
	struct outfile *file = outfile_open(path, err);
	int rc = -1;

	free(path);
	one.table = export_tables[table];
	if (file && export_fill(&one, store, file, result, err) == 0)
		rc = outfile_commit(file, err);
	else
		outfile_abandon(file);
	return rc;
}

/* These files were asked for; what else is in the folder stays. */
static int folder_move(struct table_folder *folder, struct error *err)
{
	const char *const *names = (const char *const *)folder->name;

	if (outdir_lock(folder->out, err) < 0 || outdir_check(folder->path, names, names, err) < 0)
		return -1;
	for (; folder->moved < EXPORT_TABLES; folder->moved++) {
		const char *name = names[folder->moved];

		if (outdir_move(folder->out, name, name, err) < 0)
			return -1;
	}
	return 0;
}

/* Of a folder that is new, nothing is left after a failure. */
static void folder_close(struct table_folder *folder, bool failed)
{
	for (int i = 0; failed && folder->is_new && i < folder->moved; i++)
		outdir_remove(folder->out, folder->name[i]);
	for (int i = 0; i < EXPORT_TABLES; i++)
		free(folder->name[i]);
	outdir_close(folder->out);
}

int export_folder(
	const struct export_options *options, struct store *store, struct export_result *result, struct error *err)
{
	struct stat there;
	struct table_folder folder = {.path = options->output, .is_new = stat(options->output, &there) != 0};
	int rc = 0;

	folder.out = outdir_open(options->output, err);
	if (!folder.out)
		return -1;
	for (int i = 0; i < EXPORT_TABLES; i++)
		folder.name[i] = xasprintf("%s.csv", export_tables[i]);
	for (int i = 0; i < EXPORT_TABLES && rc == 0; i++)
		rc = folder_write_table(&folder, i, options, store, result, err);
	if (rc == 0)
		rc = folder_move(&folder, err);
	folder_close(&folder, rc < 0);
	return rc;
}
