/* template.h: pages from the templates that travel with dbprof. */
#ifndef DBPROF_PAGE_TEMPLATE_H
#define DBPROF_PAGE_TEMPLATE_H

#include <jansson.h>

#include "util/error.h"

/* Renders templates/NAME.mustache and its partials with `view`. A string for free(), or NULL with `err`. */
char *template_render(const char *name, const json_t *view, struct error *err);

#endif
