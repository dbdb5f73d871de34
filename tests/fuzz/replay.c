/* replay.c: stands for libFuzzer where there is none: feeds a target every file of the folders that are named. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz.h"
#include "util/file/file.h"

/* Of libFuzzer; nothing is mutated here. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
	(void)data;
	(void)max_size;
	return size;
}

static int is_input(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* 0, or -1 after a message. */
static int replay_file(const char *path)
{
	struct error err = {0};
	size_t size;
	char *text = file_read(path, &size, &err);
	uint8_t *data = text == NULL ? NULL : malloc(size == 0 ? 1 : size);

	if (data == NULL) {
		fprintf(stderr, "%s\n", text == NULL ? err.text : "out of memory");
		free(text);
		return -1;
	}
	memcpy(data, text, size);
	free(text);
	(void)LLVMFuzzerTestOneInput(data, size);
	free(data);
	return 0;
}

/* How many inputs were replayed, or -1 after a message. */
static int replay_folder(const char *folder)
{
	struct dirent **entries = NULL;
	char path[4096];
	int n = scandir(folder, &entries, is_input, alphasort), replayed = 0;

	if (n < 0)
		fprintf(stderr, "%s: %s\n", folder, strerror(errno));
	for (int i = 0; i < n; i++) {
		snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
		if (getenv("FUZZ_VERBOSE") != NULL)
			fprintf(stderr, "%s\n", path);
		if (replayed >= 0)
			replayed = replay_file(path) == 0 ? replayed + 1 : -1;
		free(entries[i]);
	}
	free(entries);
	return n < 0 ? -1 : replayed;
}

int main(int argc, char **argv)
{
	/* A target may silence stdout. */
	FILE *out = stdout;
	int replayed = 0;

	for (int i = 1; i < argc; i++) {
		struct stat st;
		bool is_folder = stat(argv[i], &st) == 0 && S_ISDIR(st.st_mode);
		int n = is_folder ? replay_folder(argv[i]) : replay_file(argv[i]) == 0 ? 1 : -1;

		if (n < 0)
			return 1;
		replayed += n;
	}
	fprintf(out, "%d\n", replayed);
	return fflush(out) == 0 ? 0 : 1;
}
