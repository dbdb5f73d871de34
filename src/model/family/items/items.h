/* items.h: what goes through a family's pipelines one by one, such as frames: how long each takes. */
#ifndef DBPROF_MODEL_FAMILY_ITEMS_ITEMS_H
#define DBPROF_MODEL_FAMILY_ITEMS_ITEMS_H

#include <jansson.h>

struct family_rows;

/* F."items": for each case of which items are recorded, what becomes of them in each variant; empty without any. */
json_t *items_json(const struct family_rows *f);

#endif
