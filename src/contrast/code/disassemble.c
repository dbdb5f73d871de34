/* disassemble.c: see disassemble.h. */
#include "contrast/code/disassemble.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contrast/measure/side.h"
#include "util/alloc.h"

#define DISASSEMBLER "nvdisasm"

/* Modules of libraries are large; what takes longer is left out, also where others work. */
static const int64_t DISASSEMBLER_NS = INT64_C(180) * 1000000000;

/* A module is a stranger's, and the disk is not only ours. Text takes about ten times as much as code. */
static const uint64_t TEXT_MOST = UINT64_C(512) << 20;

/* A line that is longer is no instruction: names of kernels may be thousands of characters long. */
enum { LINE_MOST = 1 << 20 };

/* ---- where it is ---- */

/* For free(); NULL if there is no such program. */
static char *disassembler_at(const char *folder, size_t length)
{
	char *path = xasprintf("%.*s/" DISASSEMBLER, (int)length, folder);

	if (length > 0 && access(path, X_OK) == 0)
		return path;
	free(path);
	return NULL;
}

static char *disassembler_in_path(void)
{
	const char *folder = getenv("PATH");
	char *path = NULL;

	while (folder && *folder != '\0' && !path) {
		size_t length = strcspn(folder, ":");

		path = disassembler_at(folder, length);
		folder += length + (folder[length] == ':');
	}
	return path;
}

static char *disassembler_of_toolkit(const char *toolkit)
{
	char *folder = toolkit ? xasprintf("%s/bin", toolkit) : NULL;
	char *path = folder ? disassembler_at(folder, strlen(folder)) : NULL;

	free(folder);
	return path;
}

/* Triton has it in its package, in the folder of a Python below `root`. */
static char *disassembler_of_triton(const char *root)
{
	char *pattern = root ? xasprintf("%s/lib/python3*/*-packages/triton/backends/nvidia/bin", root) : NULL;
	glob_t found = {0};
	char *path = NULL;

	if (pattern && glob(pattern, 0, NULL, &found) == 0)
		for (size_t i = 0; i < found.gl_pathc && !path; i++)
			path = disassembler_at(found.gl_pathv[i], strlen(found.gl_pathv[i]));
	globfree(&found);
	free(pattern);
	return path;
}

char *disassembler_find(struct error *err)
{
	const char *const toolkits[] = {getenv("CUDA_HOME"), getenv("CUDA_PATH"), "/usr/local/cuda"};
	const char *const roots[] = {getenv("VIRTUAL_ENV"), getenv("CONDA_PREFIX"), "/usr/local", "/usr"};
	char *path = disassembler_in_path();

	for (size_t i = 0; i < sizeof(toolkits) / sizeof(toolkits[0]) && !path; i++)
		path = disassembler_of_toolkit(toolkits[i]);
	for (size_t i = 0; i < sizeof(roots) / sizeof(roots[0]) && !path; i++)
		path = disassembler_of_triton(roots[i]);
	if (!path)
		error_set(err, "nvdisasm is not found: machine code and sources of kernels are left out; NVIDIA's "
			       "package cuda-nvdisasm has it");
	return path;
}

/* ---- a run of it ---- */

/* 0; 1 if it failed; -1 with `err` if it could not be run, or if the person has interrupted. */
static int run_disassembler(
	const struct disassembly *how, const char *option, const char *cubin, const char *text, struct error *err)
{
	char *errors = xasprintf("%s/disassembler.err", how->folder), end[SIDE_END_BYTES];
	const char *const words[] = {how->disassembler, "-c", cubin, option, NULL};
	const struct side side = {.argv = (char **)words};
	const struct side_how run_how = {
		.kind = SIDE_PLAIN,
		.output = text,
		.errors = errors,
		.timeout_ns = DISASSEMBLER_NS,
		.file_most = TEXT_MOST,
		.interrupted = how->interrupted,
		.user = how->user,
	};
	struct side_run run;
	int code = side_run(&side, &run_how, &run, err);

	if (code == 0 && !side_went_well(&run)) {
		side_tell_end(&run, &run_how, end);
		error_set(err, "nvdisasm %s", end);
		code = 1;
	}
	side_run_free(&run);
	unlink(errors);
	free(errors);
	return code;
}

static int read_listings(const char *text, struct listing_reading *readings, size_t n, struct error *err)
{
	FILE *file = fopen(text, "re");
	char *line = xmalloc(LINE_MOST);

	while (file && fgets(line, LINE_MOST, file)) {
		line[strcspn(line, "\n")] = '\0';
		for (size_t i = 0; i < n; i++)
			listing_read_line(&readings[i], line);
	}
	free(line);
	if (!file)
		return error_set(err, "what nvdisasm printed cannot be read");
	fclose(file);
	return 0;
}

int disassemble(const struct disassembly *how, const char *cubin, const char *const *symbols, struct listing *out,
	size_t n, struct error *err)
{
	char *text = xasprintf("%s/disassembly", how->folder);
	struct listing_reading *readings = xcalloc(n + 1, sizeof(*readings));
	int code = run_disassembler(how, "-gi", cubin, text, err);

	for (size_t i = 0; i < n; i++)
		readings[i] = (struct listing_reading){.symbol = symbols[i], .out = &out[i]};
	/* A damaged line table is no reason to go without the code. */
	if (code > 0)
		code = run_disassembler(how, NULL, cubin, text, err);
	if (code == 0)
		code = read_listings(text, readings, n, err);
	for (size_t i = 0; i < n; i++)
		listing_read_end(&readings[i]);
	free(readings);
	unlink(text);
	free(text);
	return code == 0 ? 0 : -1;
}
