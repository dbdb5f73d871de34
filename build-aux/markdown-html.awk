# markdown-html.awk: the part of Markdown that docs/numbers.md uses, as HTML: headings, paragraphs, lists, tables, `code`,
# **strong** and *emphasis*. A heading gets an id from its words, so that the page can refer to it, and one level more than
# it has. A line that begins with "Source:" says where a number comes from, and is small.
#
#	LC_ALL=C awk -f build-aux/markdown-html.awk docs/numbers.md >templates/definitions.html

function escaped(text) {
	gsub(/&/, "\\&amp;", text)
	gsub(/</, "\\&lt;", text)
	gsub(/>/, "\\&gt;", text)
	return text
}

# A mark that is never closed stays what it is.
function inline(text,    out, i, m, mark, length_of, end, found, rest) {
	out = ""
	for (i = 1; i <= length(text);) {
		found = 0
		for (m = 1; m <= 3 && !found; m++) {
			mark = marks[m]
			length_of = length(mark)
			rest = substr(text, i + length_of)
			if (length(text) - i + 1 <= 2 * length_of || substr(text, i, length_of) != mark || substr(rest, 1, 1) == " ")
				continue
			end = index(rest, mark)
			if (end == 0)
				continue
			found = end + 2 * length_of - 1
			rest = substr(rest, 1, end - 1)
			out = out "<" tags[m] ">" (mark == "`" ? escaped(rest) : inline(rest)) "</" tags[m] ">"
		}
		if (!found)
			out = out escaped(substr(text, i, 1))
		i += found ? found : 1
	}
	return out
}

function close_block() {
	printf "%s", ends[block]
	block = ""
}

function heading(text,    level, id) {
	close_block()
	match(text, /^#+/)
	level = RLENGTH < 5 ? RLENGTH + 1 : 6
	text = substr(text, RLENGTH + 1)
	sub(/^ +/, "", text)
	id = tolower(text)
	gsub(/[^a-z0-9]/, "-", id)
	printf "<h%d id=\"def-%s\">%s</h%d>\n", level, id, inline(text), level
}

# "| a | b |"; the row of dashes under a table's head is left out.
function table_row(text,    cells, n, i, tag) {
	tag = block == "table" ? "td" : "th"
	if (block != "table") {
		close_block()
		print "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"table\"><table><tbody>"
		block = "table"
	}
	if (text ~ /^[|: -]*$/)
		return
	sub(/^\|/, "", text)
	sub(/\|$/, "", text)
	n = split(text, cells, "|")
	printf "<tr>"
	for (i = 1; i <= n; i++)
		printf "<%s>%s</%s>", tag, inline(cells[i]), tag
	print "</tr>"
}

function item(text) {
	if (block != "item")
		close_block()
	printf "%s", block == "item" ? "</li>\n<li>" : "<ul><li>"
	block = "item"
	printf "%s", inline(substr(text, 3))
}

function running_text(text,    source) {
	source = text ~ /^Source:./
	if (block == "" || block == "table") {
		close_block()
		printf "<p>"
		block = "paragraph"
	} else {
		printf " "
	}
	printf "%s", source ? "<small>" inline(text) "</small>" : inline(text)
}

BEGIN {
	split("` ** *", marks, " ")
	split("code strong em", tags, " ")
	ends["paragraph"] = "</p>\n"
	ends["item"] = "</li></ul>\n"
	ends["table"] = "</tbody></table></div>\n"
}

index($0, "{{") {
	print FILENAME ":" FNR ": {{ has a meaning in templates" >"/dev/stderr"
	failed = 1
	exit 1
}
{ sub(/^ +/, "") }
/^$/ { close_block(); next }
/^#/ { heading($0); next }
/^\|/ { table_row($0); next }
/^- ./ { item($0); next }
{ running_text($0) }

END {
	if (failed)
		exit 1
	close_block()
}
