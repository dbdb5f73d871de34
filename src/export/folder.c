/* folder.c: see folder.h. */
#include "export/folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "export/file.h"
#include "util/alloc.h"
#include "util/file.h"
#include "util/temporary.h"

/* Files in the making. */
struct table_folder {
	char *path;            /* as it was asked for, without slashes at its end; owned */
	struct temporary temp; /* what is to be `path`, if that is new */
	struct outfile *file[EXPORT_TABLES];
};

static int folder_failed(const struct table_folder *folder, int errnum, struct error *err)
{
	return error_system(
		err, "cannot write to %s: %s: %s", folder->path, strerror(errnum), file_write_advice(errnum));
}

/* Makes the folders that a path lies in. 0 or an errno value. */
static int make_parents(const char *path)
{
	char *parent = xstrdup(path);
	int errnum = 0;

	for (char *slash = strchr(*parent ? parent + 1 : parent, '/'); slash && errnum == 0;
		slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(parent, 0777) != 0 && errno != EEXIST)
			errnum = errno;
		*slash = '/';
	}
	free(parent);
	return errnum;
}

/* The mode of any new folder. */
static mode_t folder_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0777 & ~mask;
}

static int folder_open(struct table_folder *folder, struct error *err)
{
	int errnum = make_parents(folder->path);
	struct stat there;

	if (errnum == 0 && stat(folder->path, &there) == 0) {
		errnum = S_ISDIR(there.st_mode) ? 0 : ENOTDIR;
	} else if (errnum == 0 && errno == ENOENT) {
		errnum = temporary_folder_beside(&folder->temp, folder->path);
		folder->temp.mode = folder_mode();
	} else if (errnum == 0) {
		errnum = errno;
	}
	return errnum == 0 ? 0 : folder_failed(folder, errnum, err);
}

static int folder_write_table(struct table_folder *folder, int table, const struct export_options *options,
	struct store *store, struct export_result *result, struct error *err)
{
	struct export_options one = *options;
	char *path =
		xasprintf("%s/%s.csv", folder->temp.path[0] ? folder->temp.path : folder->path, export_tables[table]);

	one.table = export_tables[table];
	folder->file[table] = outfile_open(path, err);
	free(path);
	return folder->file[table] ? export_fill(&one, store, folder->file[table], result, err) : -1;
}

static int folder_commit(struct table_folder *folder, struct error *err)
{
	int errnum;

	for (int i = 0; i < EXPORT_TABLES; i++) {
		struct outfile *file = folder->file[i];

		folder->file[i] = NULL;
		if (outfile_commit(file, err) < 0)
			return -1;
	}
	errnum = folder->temp.path[0] ? temporary_rename(&folder->temp, folder->path) : 0;
	return errnum == 0 ? 0 : folder_failed(folder, errnum, err);
}

static void folder_close(struct table_folder *folder)
{
	for (int i = 0; i < EXPORT_TABLES; i++)
		outfile_abandon(folder->file[i]);
	temporary_remove(&folder->temp);
	free(folder->path);
}

int export_folder(
	const struct export_options *options, struct store *store, struct export_result *result, struct error *err)
{
	struct table_folder *folder = xcalloc(1, sizeof(*folder));
	size_t length = strlen(options->output);
	int rc;

	while (length > 1 && options->output[length - 1] == '/')
		length--;
	folder->path = xstrndup(options->output, length);
	rc = folder_open(folder, err);
	for (int i = 0; i < EXPORT_TABLES && rc == 0; i++)
		rc = folder_write_table(folder, i, options, store, result, err);
	if (rc == 0)
		rc = folder_commit(folder, err);
	folder_close(folder);
	free(folder);
	return rc;
}
