/*
 * json.h: building the tree. Values are never invalid: no NaN, no text that is not UTF-8. Memory does not run out:
 * json_use_xmalloc() makes Jansson allocate by util/alloc.h.
 */
#ifndef DBPROF_TREE_JSON_H
#define DBPROF_TREE_JSON_H

#include <jansson.h>

/* To be called once, before the first call of Jansson. */
void json_use_xmalloc(void);

json_t *real_json(double x);         /* null for NaN and the infinities */
json_t *flag_json(int flag);         /* > 0 true, 0 false, < 0 null: not known */
json_t *text_json(const char *text); /* null for NULL; bytes that are not UTF-8 become U+FFFD */

/* Both take the reference to `value`, which must not be NULL. */
void put_json(json_t *object, const char *key, json_t *value);
void append_json(json_t *array, json_t *value);

#endif
