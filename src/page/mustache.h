/* mustache.h: fills Mustache templates from a jansson tree, after the published Mustache specification. */
#ifndef DBPROF_PAGE_MUSTACHE_H
#define DBPROF_PAGE_MUSTACHE_H

#include <jansson.h>

#include "util/error.h"

/* Gives the text of a template or partial: a string for free(), which the engine frees, or NULL with `err` filled. */
typedef char *mustache_loader(void *user, const char *name, struct error *err);

/*
 * Renders the template `name` with `view`. Comments, set delimiters, interpolation with dotted names and the implicit
 * iterator, sections, inverted sections and partials are there; lambdas, inheritance and dynamic names are not.
 *
 * What the specification leaves open: false, null and the empty list are falsy, all else is truthy, also 0 and "". A
 * name that nothing defines gives no text. A list or an object where text is wanted is an error, and so is a partial
 * that the loader does not have.
 *
 * Returns a string for free(), or NULL with `err` saying template, line and what is wrong. `view` is borrowed.
 */
char *mustache_render(const char *name, mustache_loader *load, void *user, const json_t *view, struct error *err);

#endif
