# rooms.awk: holds the includes of the C and CUDA files that it is given, as paths in the tree, against the table of rooms. Prints a
# line for each that is against it, and for each circle.
#
# A file's room is the folder below src/, or kernels. A unit is NAME.c and NAME.h; NAME-private.h, which two halves of one thing
# share, belongs to NAME.

BEGIN {
	# What a room may include beside itself. "record/cupti" is that part of the room record.
	may["util"] = ""
	may["store"] = "util"
	may["analyze"] = "util"
	may["tree"] = "util"
	may["kernels"] = "analyze"
	may["record"] = "util store analyze kernels"
	may["trace"] = "util store record/cupti record/code"
	may["contrast"] = "util store analyze trace record/cupti record/worker"
	may["model"] = "util store analyze tree"
	may["words"] = "util tree"
	may["figure"] = "util tree"
	may["page"] = "util tree words figure"
	may["compare"] = "util tree words page"
	may["export"] = "util tree words store"
	may["report"] = "util store tree model words figure page compare export"
	may["cmd"] = "*"
	may["main"] = "*"
	for (i = 1; i < ARGC; i++)
		exists[ARGV[i]] = 1
}

function room_of(path, part) {
	split(path, part, "/")
	if (part[1] != "src")
		return part[1]
	sub(/\.c$/, "", part[2])
	return part[2]
}

function unit_of(path) {
	sub(/\.(c|h|cu|cuh)$/, "", path)
	sub(/-private$/, "", path)
	return path
}

# Whether `room` may include the file `path`.
function allowed(room, path, n, i, list) {
	if (room == room_of(path) || may[room] == "*")
		return 1
	n = split(may[room], list, " ")
	for (i = 1; i <= n; i++)
		if (room_of(path) == list[i] || index(path, "src/" list[i] "/") == 1)
			return 1
	return 0
}

# The file that an #include of `name` in `from` means, or "".
function file_of(name, from, i, n, at) {
	n = split("src/ kernels/ kernels/host/ src/record/cupti/c-only/", at, " ")
	for (i = 1; i <= n; i++)
		if ((at[i] name) in exists)
			return at[i] name
	sub(/[^\/]*$/, "", from)
	return (from name) in exists ? from name : ""
}

function edge(a, b, where) {
	if (a == b || (a, b) in place)
		return
	place[a, b] = where
	to[a, ++edges[a]] = b
}

/^#[ \t]*include[ \t]+"/ {
	name = $0
	sub(/^[^"]*"/, "", name)
	sub(/".*/, "", name)
	if (name == "config.h")
		next
	path = file_of(name, FILENAME)
	if (path == "") {
		printf "%s:%d: includes \"%s\", which is in no room\n", FILENAME, FNR, name
		next
	}
	room = room_of(FILENAME)
	other = room_of(path)
	if (!(room in may))
		printf "%s: room %s is not in the table of tests/support/rooms.awk\n", FILENAME, room
	else if (!allowed(room, path))
		printf "%s:%d: room %s must not include %s (%s)\n", FILENAME, FNR, room, other, name
	if (room != other)
		edge("room " room, "room " other, FILENAME ":" FNR)
	else
		edge(unit_of(FILENAME), unit_of(path), FILENAME ":" FNR)
}

# A circle is named once, with the includes that make it.
function tell_circle(first, i) {
	printf "a circle:"
	for (i = depth; way[i] != first; i--)
		;
	for (; i < depth; i++)
		printf " %s (%s) >", way[i], place[way[i], way[i + 1]]
	printf " %s (%s) > %s\n", way[depth], place[way[depth], first], first
}

# Goes on from `node` to all that it includes. 1: on the way there; 2: done.
function visit(node, i) {
	state[node] = 1
	way[++depth] = node
	for (i = 1; i <= edges[node]; i++) {
		if (state[to[node, i]] == 1)
			tell_circle(to[node, i])
		else if (!state[to[node, i]])
			visit(to[node, i])
	}
	state[node] = 2
	depth--
}

END {
	for (node in edges)
		nodes[++nnodes] = node
	for (k = 1; k <= nnodes; k++)
		if (!state[nodes[k]])
			visit(nodes[k])
}
