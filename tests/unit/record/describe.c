/* describe.c: what a loaded family leaves in a recording: itself, its cases and sweeps, its code and the PTX that
 * is nearest to the GPU. Builds docs/examples/my-family.cu with nvcc; no GPU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/session/describe.h"
#include "record/plugin/load.h"
#include "model/family/source.h"
#include "fixtures/scratch.h"
#include "store/store.h"
#include "util/file/outfile.h"

static bool have_nvcc(void)
{
	return getenv("NVCC") != NULL && *getenv("NVCC") != '\0';
}

/* A file with nothing but its text. */
static const char other[] = "#include <dbprof-variant.h>\n"
			    "// two lines\n"
			    "DBPROF_SOURCE;\n";

/* With a second file, and PTX of two architectures. */
static void build(void)
{
	const char *abs_top = getenv("abs_top_srcdir"), *top = abs_top != NULL ? abs_top : ".";
	char command[4096];

	snprintf(command, sizeof command,
		"\"$NVCC\" ${NVCC_CCBIN:+-ccbin \"$NVCC_CCBIN\"} -shared -Xcompiler -fPIC -lineinfo --no-compress "
		"-gencode 'arch=compute_80,code=compute_80' -gencode 'arch=compute_90,code=compute_90' "
		"-I'%s/kernels' -I'%s/kernels/host' -I'%s/src' -o '%s' '%s/docs/examples/my-family.cu' '%s' >&2",
		top, top, top, in_scratch("my-family.so"), top, in_scratch("other.cu"));
	assert_int_equal(file_replace(in_scratch("other.cu"), other, sizeof other - 1, NULL), 0);
	if (system(command) != 0)
		fail_msg("nvcc failed: %s", command);
}

static struct store *describe(int capability)
{
	const struct record_options options = {.sweep = true};
	const char *path = in_scratch("family.sqlite");
	struct error err = {0};
	struct recording *rec = recording_create(path, 0, &err);
	struct store *store;

	assert_non_null(rec);
	assert_int_equal(describe_write(rec, &options, capability, &err), 0);
	assert_int_equal(recording_meta(rec, "kind", "families", &err), 0);
	assert_int_equal(recording_finish(rec, &err), 0);
	store = store_open(path, &err);
	assert_non_null(store);
	return store;
}

/* Rows of a table whose cell is `want`; the text of another cell of the last one goes, as a copy, to *text. */
static int count(struct store *store, enum table_id table, int column, const char *want, int of, char **text)
{
	struct error err = {0};
	struct cursor *cursor = store_rows(store, table, -1, &err);
	int n = 0;

	assert_non_null(cursor);
	while (cursor_next(cursor, &err) > 0) {
		if (strcmp(cursor_text(cursor, column), want) != 0)
			continue;
		n++;
		if (text != NULL) {
			free(*text);
			*text = strdup(cursor_text(cursor, of));
		}
	}
	cursor_close(cursor);
	return n;
}

static void assert_code(const char *source, const char *variant, const char *kernel)
{
	struct source_code code;
	struct error err = {0};

	assert_int_equal(source_variant(source, strlen(source), variant, &code, &err), 1);
	assert_non_null(strstr(code.text, kernel));
	source_code_free(&code);
}

static void assert_ptx(int capability, const char *arch)
{
	struct store *store = describe(capability);
	char *text = NULL, *found = NULL;

	assert_int_equal(count(store, TABLE_PTX, PTX_file, "my-family.cu", PTX_arch, &found), 1);
	assert_string_equal(found, arch);
	assert_int_equal(count(store, TABLE_PTX, PTX_arch, arch, PTX_text, &text), 1);
	assert_non_null(strstr(text, ".entry _Z11mean_doublePKfPfiii"));
	assert_null(strstr(text, "/my-family.cu\""));
	free(found);
	free(text);
	store_close(store);
}

static void a_recording_holds_the_family(void **state)
{
	struct error err = {0};
	struct store *store;
	char *source = NULL;

	(void)state;
	if (!have_nvcc())
		skip();
	build();
	if (plugin_load(in_scratch("my-family.so"), true, &err) < 0)
		fail_msg("%s", err.text);
	store = describe(90);
	assert_int_equal(count(store, TABLE_FAMILY, FAMILY_name, "my-family", 0, NULL), 1);
	assert_int_equal(count(store, TABLE_FAMILY, FAMILY_name, "sgemm", 0, NULL), 0);
	assert_int_equal(count(store, TABLE_VARIANT, VARIANT_family, "my-family", 0, NULL), 2);
	assert_int_equal(count(store, TABLE_CASE, CASE_family, "my-family", 0, NULL), 3 + 7 + 6);
	assert_int_equal(count(store, TABLE_SWEEP, SWEEP_family, "my-family", 0, NULL), 2);
	assert_int_equal(count(store, TABLE_SOURCE, SOURCE_file, "my-family.cu", SOURCE_text, &source), 1);
	assert_code(source, "single", "mean_single");
	assert_code(source, "double", "mean_double");
	assert_int_equal(count(store, TABLE_SOURCE, SOURCE_file, "other.cu", SOURCE_text, &source), 1);
	assert_string_equal(source, other);
	free(source);
	store_close(store);
	assert_ptx(90, "compute_90");
	assert_ptx(120, "compute_90");
	assert_ptx(86, "compute_80");
}

int main(void)
{
	const struct CMUnitTest tests[] = {scratch_test(a_recording_holds_the_family)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
