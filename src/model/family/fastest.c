/* fastest.c: the best that one buffer can do against the best that several can, whatever pair the family names.
 */
#include "model/family/fastest.h"

#include <string.h>

#include "analyze/analyze.h"
#include "model/family/floor.h"
#include "model/family/measure.h"
#include "model/family/ratio.h"
#include "model/recording.h"
#include "tree/json.h"

/* What does the whole work and is right in every case, a control too: it was built to explain another one, and may
 * still be the best. A reference draws a line, and takes no part. */
static bool may_win(const struct measured *m)
{
	bool competes = m->kind && (strcmp(m->kind, "candidate") == 0 || strcmp(m->kind, "control") == 0);

	return competes && m->n > 0 && m->right && !m->on_purpose;
}

static const struct measured *fastest_fastest(const struct rivals *rivals, int64_t from, int64_t to)
{
	const struct measured *best = NULL;

	for (size_t i = 0; i < rivals->n; i++) {
		const struct measured *m = rivals->list[i];

		if (may_win(m) && m->buffers >= from && m->buffers <= to &&
			(!best || m->time.median < best->time.median))
			best = m;
	}
	return best;
}

static json_t *winner_json(const struct measured *m)
{
	json_t *object = json_object();
	int bad = put_json(object, "variant", text_json(m->variant));

	bad |= put_json(object, "buffers", json_integer(m->buffers));
	bad |= put_json(object, "median_ns", real_json(m->time.median));
	return built_json(object, bad);
}

json_t *fastest_json(const struct model *model, const struct rivals *rivals)
{
	const struct measured *one = fastest_fastest(rivals, 1, 1), *several = fastest_fastest(rivals, 2, INT64_MAX);
	struct ratio ratio;
	json_t *object;
	int bad;

	if (!one || !several)
		return json_null();
	if (ratio_of(model, one, several, &ratio) < 0)
		return NULL;
	object = json_object();
	bad = put_json(object, "case", text_json(one->label));
	bad |= put_json(object, "one", winner_json(one));
	bad |= put_json(object, "several", winner_json(several));
	bad |= put_json(object, "ratio", ratio_json(&ratio));
	return built_json(object, bad);
}
