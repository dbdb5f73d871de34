/* json.c: see json.h. */
#include "tree/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"
#include "util/utf8.h"

void json_use_xmalloc(void)
{
	json_set_alloc_funcs(xmalloc, free);
}

json_t *real_json(double x)
{
	return isfinite(x) ? json_real(x) : json_null();
}

json_t *flag_json(int flag)
{
	return flag < 0 ? json_null() : json_boolean(flag);
}

json_t *text_json(const char *text)
{
	json_t *string;
	char *clean;

	if (!text)
		return json_null();
	/* Also of control characters: some of it ends on a terminal. */
	clean = utf8_clean(text, strlen(text), NULL);
	string = json_string(clean);
	free(clean);
	return string;
}

void put_json(json_t *object, const char *key, json_t *value)
{
	json_object_set_new(object, key, value);
}

void append_json(json_t *array, json_t *value)
{
	json_array_append_new(array, value);
}
