/* family.c: the F objects of the model, from what was measured of a family. */
#include "model/family/family.h"

#include "model/family/code.h"
#include "model/family/counters.h"
#include "model/family/family-contrasts.h"
#include "model/family/family-rows.h"
#include "model/family/family-variants.h"
#include "model/family/items/items.h"
#include "model/family/predicted.h"
#include "model/family/programs/programs.h"
#include "model/family/reach/asked.h"
#include "model/family/reach/reach.h"
#include "model/family/roles/roles.h"
#include "model/recording.h"
#include "model/rows-json.h"
#include "store/store.h"
#include "tree/json.h"

/* For which side of the family's own pair its pair here stands in; null if it is the own one. */
static json_t *stands_in_json(const struct family_rows *f)
{
	json_t *object;

	if (!f->missing)
		return json_null();
	object = json_object();
	put_json(object, "missing", text_json(f->missing));
	put_json(object, "reason", text_json(f->missing_why));
	return object;
}

static json_t *family_tree(const struct family_rows *f)
{
	static const struct field fields[] = {
		{"name", FAMILY_name},
		{"title", FAMILY_title},
		{"question", FAMILY_question},
		{"teaches", FAMILY_teaches},
		{"source", FAMILY_source},
		{"file", FAMILY_file},
		{"throughput_unit", FAMILY_throughput},
		{"bound_by", FAMILY_boundBy},
	};
	bool programs = is_of_programs(f);
	bool buffering = !programs && family_buffers_of(f, f->dbl) > family_buffers_of(f, f->single);
	const struct code_place single = {family_file_of_variant(f, f->single), f->single};
	const struct code_place dbl = {family_file_of_variant(f, f->dbl), f->dbl};
	json_t *tree = json_object(), *contrasts = programs ? programs_contrasts_json(f) : contrasts_json(f);
	const json_t *const lists[] = {contrasts};

	put_fields(tree, &f->family, 0, fields, sizeof(fields) / sizeof(fields[0]));
	put_json(tree, "single", text_json(f->single));
	put_json(tree, "double", text_json(f->dbl));
	put_json(tree, "stands_in", stands_in_json(f));
	put_json(tree, "buffering", json_boolean(buffering));
	put_json(tree, "cases", cases_json(f));
	put_json(tree, "prediction", score_json(lists, 1));
	put_json(tree, "contrasts", contrasts);
	put_json(tree, "machine", machine_json(f->model, f->name));
	put_json(tree, "floors", floors_json(f));
	put_json(tree, "items", items_json(f));
	put_json(tree, "fastest", family_fastest(f));
	put_json(tree, "ladder", ladder_json(f));
	put_json(tree, "climbs", climbs_json(f));
	put_json(tree, "roles", roles_json(f));
	put_json(tree, "roofline", roofline_json(f));
	put_json(tree, "code_pair", code_pair_json(f->model, single, dbl));
	put_json(tree, "metrics", metrics_json(f->model));
	put_json(tree, "variants", variants_json(f));
	if (programs)
		programs_put(tree, f);
	return tree;
}

json_t *families_json(const struct model *model)
{
	struct rows families = rows_all(&model->table[TABLE_FAMILY]);
	json_t *list = json_array();

	for (size_t i = 0; i < families.count; i++) {
		struct family_rows f;

		if (is_of_advice(&families, i))
			continue;
		family_measure(model, &families, i, &f);
		asked_check(&f);
		append_json(list, family_tree(&f));
		family_free(&f);
	}
	return list;
}
