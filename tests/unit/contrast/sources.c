/* sources.c: modules and their sources as files, from the program to the recording. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <unistd.h>

#include "contrast/code/sources.h"
#include "fixtures/scratch.h"
#include "trace/inject/wanted.h"
#include "trace/inject/whole-file.h"
#include "trace/trace.h"

/* ---- names ---- */

static const char *named(struct sources *sources, const char *path, const char *text)
{
	struct wanted_source kept = {.text = text, .size = text ? strlen(text) : 0};

	return sources_take(sources, path, text ? &kept : NULL);
}

static void names_are_unique(void **state)
{
	struct sources sources = {0};

	(void)state;
	/* A file may be called as another one would be. */
	assert_string_equal(named(&sources, "/1/a.cu (2)", "one"), "a.cu (2)");
	assert_string_equal(named(&sources, "/2/a.cu", "two"), "a.cu");
	assert_string_equal(named(&sources, "/3/a.cu", "three"), "a.cu (3)");
	assert_string_equal(named(&sources, "/4/a.cu", "two"), "a.cu");
	assert_string_equal(named(&sources, "/5/a.cu (3)", "five"), "a.cu (3) (2)");
	assert_string_equal(named(&sources, "/6/a.cu (2)", "one"), "a.cu (2)");
	assert_int_equal(sources.n, 4);
	/* One that is not there is another file. */
	assert_string_equal(named(&sources, "/7/a.cu", NULL), "a.cu (4)");
	assert_string_equal(named(&sources, "/8/a.cu", NULL), "a.cu (4)");
	sources_free(&sources);
}

/* ---- files ---- */

/* What inotify told of the folder: "+NAME " for a file that was made, ">NAME " for one that got this name. */
static void events_of(int watch, char *text, size_t size)
{
	_Alignas(struct inotify_event) char bytes[8192];
	ssize_t n = read(watch, bytes, sizeof bytes);

	text[0] = '\0';
	for (ssize_t at = 0; at < n;) {
		const struct inotify_event *event = (const void *)(bytes + at);
		size_t length = strlen(text);

		snprintf(text + length, size - length, "%s%s ", event->mask & IN_MOVED_TO ? ">" : "+", event->name);
		at += (ssize_t)(sizeof *event + event->len);
	}
}

static void a_file_has_its_name_when_it_is_whole(void **state)
{
	char events[1024], want[256];
	int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	struct rlimit before, less;

	(void)state;
	assert_true(inotify_add_watch(watch, scratch, IN_CREATE | IN_MOVED_TO) >= 0);
	assert_true(whole_file_write(in_scratch("module"), "head", 4, "body", 4));
	events_of(watch, events, sizeof events);
	snprintf(want, sizeof want, "+module.%ld" WHOLE_FILE_PART " >module ", (long)getpid());
	assert_string_equal(events, want);
	/* A disk that is full leaves nothing, and what was there. */
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	less = before;
	less.rlim_cur = 6;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &less), 0);
	assert_false(whole_file_write(in_scratch("module"), "head", 4, "other", 5));
	assert_false(whole_file_write(in_scratch("new"), "head", 4, "other", 5));
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(access(in_scratch("new"), F_OK), -1);
	snprintf(want, sizeof want, "module.%ld" WHOLE_FILE_PART, (long)getpid());
	assert_int_equal(access(in_scratch(want), F_OK), -1);
	assert_int_equal(access(in_scratch("module"), F_OK), 0);
	close(watch);
}

static void write_text(const char *name, const char *text, size_t size)
{
	FILE *file = fopen(in_scratch(name), "w");

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

static void take_module(void *user, const struct wanted_module *module)
{
	char *told = user;
	size_t at = strlen(told);

	at += (size_t)snprintf(told + at, 400 - at, "%s:%d", strrchr(module->path, '/') + 1, (int)module->kernels);
	for (size_t i = 0; i < module->nsources; i++)
		at += (size_t)snprintf(told + at, 400 - at, " %s=%.*s", module->sources[i].path,
			(int)module->sources[i].size, module->sources[i].text);
	snprintf(told + at, 400 - at, "\n");
}

/* What a program that was killed has begun to write is no module, and goes. */
static void parts_are_not_taken(void **state)
{
	static const char stem[] = "0000000000000003-00000000000000ab";
	char told[400] = "", name[128];

	(void)state;
	snprintf(name, sizeof name, "%s" WANTED_SUFFIX, stem);
	write_text(name, "module", 6);
	snprintf(name, sizeof name, "%s-000.source", stem);
	write_text(name, "/x/a.cu\0text", 12);
	snprintf(name, sizeof name, "%s-001.source", stem);
	write_text(name, "no end", 6);
	snprintf(name, sizeof name, "0000000000000004-00000000000000ab" WANTED_SUFFIX ".17" WHOLE_FILE_PART);
	write_text(name, "mod", 3);
	wanted_take(scratch, take_module, told);
	assert_string_equal(told, "0000000000000003-00000000000000ab.cubin:3 /x/a.cu=text\n");
	told[0] = '\0';
	wanted_take(scratch, take_module, told);
	assert_string_equal(told, "");
	assert_int_equal(access(in_scratch(name), F_OK), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_unique),
		scratch_test(a_file_has_its_name_when_it_is_whole),
		scratch_test(parts_are_not_taken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
