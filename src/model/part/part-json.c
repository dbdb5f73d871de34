/* part-json.c: see part-json.h. */
#include "model/part/part-json.h"

#include "store/store.h"
#include "tree/json.h"

static json_t *end_json(int64_t time)
{
	return time == INT64_MIN || time == INT64_MAX ? json_null() : json_integer(time);
}

json_t *json_of_part(const struct part *part, const struct store *store)
{
	json_t *object;

	if (!part->is_part)
		return NULL;
	object = json_object();
	put_json(object, "from_ns", part->wish.window ? end_json(part->wish.from) : json_null());
	put_json(object, "to_ns", part->wish.window ? end_json(part->wish.to) : json_null());
	put_json(object, "range", text_json(store_redacted_text(store, TABLE_NVTX, NVTX_text, part->wish.range)));
	put_json(object, "every",
		part->wish.range ? json_integer(part->wish.every > 1 ? part->wish.every : 1) : json_null());
	put_json(object, "instances", part->wish.range ? json_integer(part->instances) : json_null());
	put_json(object, "used", part->wish.range ? json_integer(part->used) : json_null());
	put_json(object, "chosen", json_boolean(part->chosen));
	put_json(object, "first_ns", part->chosen ? json_integer(part->first) : json_null());
	put_json(object, "last_ns", part->chosen ? json_integer(part->last) : json_null());
	put_json(object, "needs_bytes", json_integer(part->forecast.bytes));
	put_json(object, "free_bytes", json_integer(part->forecast.free));
	return object;
}
