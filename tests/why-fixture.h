/* why-fixture.h: a small model with what the passes that measure why gave; include after family-fixture.h. */
#ifndef DBPROF_TESTS_WHY_FIXTURE_H
#define DBPROF_TESTS_WHY_FIXTURE_H

/* Counters of both sides; samples of single alone; a control; barrier stall of two ways and of one. */
static const char why_json[] =
	"{'name': 'tile', 'title': 'Tiles', 'single': 'one', 'double': 'two', 'buffering': true,"
	" 'cases': [{'label': 'big', 'headline': true, 'verify_only': false, 'params': []}],"
	" 'metrics': ["
	"  {'key': 'inst_executed', 'title': 'executed', 'unit': 'instructions', 'formula': 'i', 'meaning': 'I.',"
	"   'set': 'work', 'set_title': 'Work', 'pass': 'counters'},"
	"  {'key': 'stall_wait', 'title': 'wait', 'unit': '%', 'formula': 'w', 'meaning': 'W.', 'set': 'stalls',"
	"   'set_title': 'Stalls', 'pass': 'counters'},"
	"  {'key': 'stall_barrier', 'title': 'barrier', 'unit': '%', 'formula': 'b', 'meaning': 'B.', 'set': 'stalls',"
	"   'set_title': 'Stalls', 'pass': 'counters'},"
	"  {'key': 'stall_long_scoreboard', 'title': 'long scoreboard', 'unit': '%', 'formula': 'l', 'meaning': 'L.',"
	"   'set': 'stalls', 'set_title': 'Stalls', 'pass': 'counters'},"
	"  {'key': 'stall_sleeping', 'title': 'sleeping', 'unit': '%', 'formula': 's', 'meaning': 'S.', 'set': "
	"'stalls',"
	"   'set_title': 'Stalls', 'pass': 'counters'},"
	"  {'key': 'stall_selected', 'title': 'selected', 'unit': '%', 'formula': 's', 'meaning': 'S.', 'set': "
	"'stalls',"
	"   'set_title': 'Stalls', 'pass': 'counters'},"
	"  {'key': 'throughput_sm', 'title': 'SM', 'unit': '% of peak', 'formula': 't', 'meaning': 'T.', 'set': 'peak',"
	"   'set_title': 'Peak', 'pass': 'counters'},"
	"  {'key': 'pm_occupancy', 'title': 'occupancy', 'unit': '%', 'formula': 'o', 'meaning': 'O.', 'set': 'pm',"
	"   'set_title': 'PM', 'pass': 'pm'}],"
	" 'contrasts': [{'case': 'big', 'headline': true, 'single_ns': 2000, 'double_ns': 2500,"
	"   'speedup': {'value': 0.8, 'low': 0.79, 'high': 0.81, 'blocks': 12}, 'verdict': 'slower', 'evidence': [],"
	"   'cause': 'no gain', 'hidden_share': null, 'stretch': null, 'cost': {"
	"    'single': {'shared_bytes': 4096, 'registers': 32, 'blocks': 8, 'theoretical': 1, 'limiter': 'warps',"
	"     'achieved': 0.975},"
	"    'double': {'shared_bytes': 8192, 'registers': 40, 'blocks': 4, 'theoretical': 0.5, 'limiter':"
	"     'shared memory', 'achieved': 0.48},"
	"    'control': {'variant': 'padded', 'side': {'shared_bytes': 8192, 'registers': 32, 'blocks': 4,"
	"      'theoretical': 0.5, 'limiter': 'shared memory', 'achieved': null},"
	"     'footprint': {'value': 0.87, 'low': 0.86, 'high': 0.88, 'blocks': 12},"
	"     'rest': {'value': 0.92, 'low': 0.91, 'high': 0.93, 'blocks': 12}, 'verdict': 'slower',"
	"     'loss_share': 0.6, 'text': 'control padded is one with more'}}}],"
	" 'variants': ["
	"  {'name': 'one', 'anchor': 'tile/one', 'kind': 'candidate', 'buffers': 1, 'role': 'single', 'cases': ["
	"   {'case': 'big', 'counters': {'scope': 'kernel', 'replays': 9, 'metrics': {}, 'values': {"
	"     'inst_executed': 200000, 'stall_wait': 5, 'stall_barrier': 44, 'stall_long_scoreboard': 20,"
	"     'stall_sleeping': 0.5, 'stall_selected': 25, 'throughput_sm': 60}},"
	"    'barrier': {'counters': 0.44, 'samples': 0.41, 'phases': null, 'per_issue': 2.5, 'all_samples': 12345,"
	"     'disagreement': {'share': 0.03, 'most': 'counters', 'least': 'samples'}},"
	"    'stalls': {'launches': 1}, 'phases': null}]},"
	"  {'name': 'two', 'anchor': 'tile/two', 'kind': 'candidate', 'buffers': 2, 'role': 'double', 'cases': ["
	"   {'case': 'big', 'counters': {'scope': 'kernel', 'replays': 9, 'metrics': {}, 'values': {"
	"     'inst_executed': 210000, 'stall_wait': 6, 'stall_barrier': 31, 'stall_long_scoreboard': 50,"
	"     'stall_sleeping': null, 'stall_selected': 12, 'throughput_sm': 50}},"
	"    'barrier': {'counters': 0.31, 'samples': null, 'phases': null, 'per_issue': null, 'disagreement': null},"
	"    'stalls': null, 'phases': null}]}]}";

/* How the passes of that family went. */
static const char why_recording_json[] =
	"{'dbprof': true, 'shipped': false, 'seed': '7', 'passes': ["
	"{'family': 'tile', 'pass': 'counters', 'status': 'done', 'reason': null, 'seconds': 1.5},"
	"{'family': 'tile', 'pass': 'stalls', 'status': 'done', 'reason': null, 'seconds': 1.5},"
	"{'family': 'tile', 'pass': 'phases', 'status': 'skipped', 'reason': 'no stamps', 'seconds': 0}]}";

#endif
