/* template.c: see template.h. */
#include "page/template.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "page/mustache.h"
#include "util/file/datafile.h"
#include "util/file/file.h"

static char *template_datafile(const char *name, struct error *err)
{
	char path[PATH_MAX];

	if (datafile_find(name, path, sizeof(path), err) < 0)
		return NULL;
	return file_read(path, NULL, err);
}

/* Style sheets and the script have an ending of their own; templates do not. */
static char *load_template(void *user, const char *name, struct error *err)
{
	char path[128];

	(void)user;
	snprintf(path, sizeof(path), "templates/%s%s", name, strchr(name, '.') ? "" : ".mustache");
	return template_datafile(path, err);
}

char *template_render(const char *name, const json_t *view, struct error *err)
{
	return mustache_render(name, load_template, NULL, view, err);
}
