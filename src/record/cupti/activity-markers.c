/* activity-markers.c: puts NVTX ranges together: CUPTI gives begin, end and attributes of a range in three records. */
#include "record/cupti/activity-private.h"

#include <stdlib.h>
#include <string.h>

#include "util/clock.h"

/* ENUM_NSYS_EVENT_TYPE. CUPTI's records do not tell push/pop from start/end, so all ranges count as push/pop. */
enum { EVENT_MARK = 34, EVENT_PUSH_POP = 59, EVENT_DOMAIN = 75 };

/* So many ranges may be open at once, at about 120 bytes each. Further ones count as lost. */
enum { MOST_MARKERS = 1 << 19 };

static const uint32_t COMPLETE = CUPTI_ACTIVITY_FLAG_MARKER_START | CUPTI_ACTIVITY_FLAG_MARKER_END;

static int64_t activity_markers_thread_of(const struct activity *a, const CUpti_ActivityMarker2 *r)
{
	if (r->objectKind != CUPTI_ACTIVITY_OBJECT_THREAD)
		return a->pid << 24;
	return (int64_t)r->objectId.pt.processId << 24 | (r->objectId.pt.threadId & 0xffffff);
}

/* Where the id stands in the table, or would stand. Open addressing: there is always a free place. */
static size_t activity_markers_place_of(const struct markers *m, uint32_t id)
{
	size_t at = (size_t)(id * UINT32_C(2654435769)) & (m->nplaces - 1);

	while (m->places[at] != 0 && m->all[m->places[at] - 1].id != id)
		at = (at + 1) & (m->nplaces - 1);
	return at;
}

/* Makes the table anew. */
static void place_all(struct markers *m)
{
	memset(m->places, 0, m->nplaces * sizeof(*m->places));
	for (size_t i = 0; i < m->n; i++)
		m->places[activity_markers_place_of(m, m->all[i].id)] = (uint32_t)i + 1;
}

static bool activity_markers_grow(struct markers *m)
{
	size_t room = m->room == 0 ? 256 : m->room * 2;
	struct marker *all = room > MOST_MARKERS ? NULL : realloc(m->all, room * sizeof(*all));
	uint32_t *places;

	if (!all)
		return false;
	m->all = all;
	places = malloc(4 * room * sizeof(*places));
	if (!places)
		return false;
	free(m->places);
	m->places = places;
	m->nplaces = 4 * room;
	m->room = room;
	place_all(m);
	return true;
}

/* The marker with that id; a new one is made if there is none. NULL when memory is short. */
static struct marker *marker_of(struct activity *a, uint32_t id)
{
	struct markers *m = &a->markers;
	size_t at = m->nplaces > 0 ? activity_markers_place_of(m, id) : 0;

	/* One that is known needs no room: its end must be heard also where there is none left. */
	if (m->nplaces > 0 && m->places[at] != 0)
		return &m->all[m->places[at] - 1];
	if (m->n == m->room && !activity_markers_grow(m)) {
		a->losses.unnoted++;
		return NULL;
	}
	at = activity_markers_place_of(m, id);
	m->all[m->n++] = (struct marker){.id = id};
	m->places[at] = (uint32_t)m->n;
	return &m->all[m->n - 1];
}

static void write_domain(struct activity *a, const CUpti_ActivityMarker2 *r, int domain)
{
	const struct value row[NVTX_NUMBER] = {
		[NVTX_start] = VALUE_OF_INT(r->timestamp == 0 ? clock_realtime() : (int64_t)r->timestamp + a->offset),
		[NVTX_eventType] = VALUE_OF_INT(EVENT_DOMAIN),
		[NVTX_text] = VALUE_OF_TEXT(r->domain),
		[NVTX_globalTid] = VALUE_OF_INT(activity_markers_thread_of(a, r)),
		[NVTX_domainId] = VALUE_OF_INT(domain),
	};
	activity_row(a, TABLE_NVTX, row);
}

/* The number of the record's domain. A new domain gets its row; without room for it, the default domain is taken. */
static int domain_of(struct activity *a, const CUpti_ActivityMarker2 *r)
{
	struct markers *m = &a->markers;

	if (!r->domain)
		return 0;
	for (int i = 0; i < m->ndomains; i++)
		if (strcmp(m->domains[i], r->domain) == 0)
			return i + 1;
	if (m->ndomains == MAX_DOMAINS || !(m->domains[m->ndomains] = strdup(r->domain))) {
		a->losses.unnoted++;
		return 0;
	}
	write_domain(a, r, ++m->ndomains);
	return m->ndomains;
}

void markers_record(struct activity *a, const CUpti_ActivityMarker2 *r)
{
	struct marker *marker = marker_of(a, r->id);

	if (!marker)
		return;
	marker->untimed = marker->untimed || r->timestamp == 0;
	if ((r->flags & CUPTI_ACTIVITY_FLAG_MARKER_END) != 0) {
		marker->end = (int64_t)r->timestamp + a->offset;
		marker->end_global_tid = activity_markers_thread_of(a, r);
	} else {
		marker->start = (int64_t)r->timestamp + a->offset;
		marker->global_tid = activity_markers_thread_of(a, r);
		marker->domain = domain_of(a, r);
		marker->text = !r->name ? NULL : strdup(r->name);
		if (r->name && !marker->text)
			a->losses.unnamed++;
	}
	marker->flags |= r->flags;
}

void markers_data(struct activity *a, const CUpti_ActivityMarkerData *r)
{
	struct marker *marker = marker_of(a, r->id);

	if (!marker)
		return;
	marker->has_data = true;
	marker->has_color = (r->flags & CUPTI_ACTIVITY_FLAG_MARKER_COLOR_ARGB) != 0;
	marker->color = r->color;
	marker->category = r->category;
	marker->payload_kind = r->payloadKind;
	marker->payload = r->payload;
}

/* Whether its times can be used. A range that ends before it begins cannot hold work. */
static bool is_timed(const struct marker *m)
{
	return !m->untimed && ((m->flags & CUPTI_ACTIVITY_FLAG_MARKER_END) == 0 || m->end >= m->start);
}

static void write_marker(struct activity *a, const struct marker *m)
{
	bool mark = (m->flags & CUPTI_ACTIVITY_FLAG_MARKER_INSTANTANEOUS) != 0;
	struct value row[NVTX_NUMBER] = {
		[NVTX_start] = VALUE_OF_INT(m->start),
		[NVTX_eventType] = VALUE_OF_INT(mark ? EVENT_MARK : EVENT_PUSH_POP),
		[NVTX_text] = VALUE_OF_TEXT(m->text),
		[NVTX_globalTid] = VALUE_OF_INT(m->global_tid),
		[NVTX_domainId] = VALUE_OF_INT(m->domain),
	};

	if ((m->flags & CUPTI_ACTIVITY_FLAG_MARKER_END) != 0) {
		row[NVTX_end] = VALUE_OF_INT(m->end);
		if (m->end_global_tid != m->global_tid)
			row[NVTX_endGlobalTid] = VALUE_OF_INT(m->end_global_tid);
	}
	if (m->has_color)
		row[NVTX_color] = VALUE_OF_INT(m->color);
	if (m->has_data && m->category != 0)
		row[NVTX_category] = VALUE_OF_INT(m->category);
	if (m->has_data && m->payload_kind == CUPTI_METRIC_VALUE_KIND_INT64)
		row[NVTX_int64Value] = VALUE_OF_INT(m->payload.metricValueInt64);
	/* A range without a payload has a 0 of this type. */
	if (m->has_data && m->payload_kind == CUPTI_METRIC_VALUE_KIND_UINT64 && m->payload.metricValueUint64 != 0)
		row[NVTX_uint64Value] = VALUE_OF_INT(m->payload.metricValueUint64);
	if (m->has_data && m->payload_kind == CUPTI_METRIC_VALUE_KIND_DOUBLE)
		row[NVTX_doubleValue] = VALUE_OF_REAL(m->payload.metricValueDouble);
	activity_row(a, TABLE_NVTX, row);
}

static bool activity_markers_wanted(struct marker *m, enum markers_which which)
{
	bool complete = (m->flags & COMPLETE) == COMPLETE || (m->flags & CUPTI_ACTIVITY_FLAG_MARKER_INSTANTANEOUS) != 0;
	bool settled = m->settled;

	m->settled = complete;
	if (which == MARKERS_ALL)
		return (m->flags & (CUPTI_ACTIVITY_FLAG_MARKER_START | CUPTI_ACTIVITY_FLAG_MARKER_INSTANTANEOUS)) != 0;
	return which == MARKERS_SETTLED ? settled : complete;
}

void markers_write(struct activity *a, enum markers_which which)
{
	struct markers *m = &a->markers;
	size_t kept = 0;

	for (size_t i = 0; i < m->n; i++) {
		struct marker *marker = &m->all[i];

		if (activity_markers_wanted(marker, which)) {
			if (is_timed(marker))
				write_marker(a, marker);
			else
				a->losses.untimed++;
			free(marker->text);
		} else {
			m->all[kept++] = *marker;
		}
	}
	if (kept == m->n)
		return;
	m->n = kept;
	place_all(m);
}

void markers_free(struct markers *markers)
{
	for (size_t i = 0; i < markers->n; i++)
		free(markers->all[i].text);
	free(markers->all);
	free(markers->places);
	for (int i = 0; i < markers->ndomains; i++)
		free(markers->domains[i]);
	*markers = (struct markers){0};
}
