# plant.sh FILE MARK: puts MARK into each text of a recording, before what is there. Equal texts stay equal, so that rows still belong
# together. A table without rows gets one that is full of it. The version of the format and its keys stay: without them it is no recording.
set -eu
file=$1 mark=$2

tables() {
	sqlite3 "$file" "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
}
# columns TABLE: lines NAME|TYPE.
columns() {
	sqlite3 "$file" "SELECT name, type FROM pragma_table_info('$1')"
}

for table in $(tables); do
	columns "$table" | awk -F'|' -v table="$table" -v mark="$mark" '
		{
			printf "UPDATE \"%s\" SET \"%s\" = '\''%s'\'' || \"%s\" WHERE typeof(\"%s\") = '\''text'\'';\n", table, $1, mark, $1, $1
			names = names (NR > 1 ? ", " : "") "\"" $1 "\""
			values = values (NR > 1 ? ", " : "") ($2 ~ /TEXT/ ? "'\''" mark "-" table "-" $1 "'\''" : 1)
		}
		END {
			printf "INSERT INTO \"%s\" (%s) SELECT %s WHERE NOT EXISTS (SELECT 1 FROM \"%s\");\n", table, names, values, table
		}'
done >"$file.sql"
if tables | grep -qx DBPROF_META; then
	cat >>"$file.sql" <<-EOF
		UPDATE DBPROF_META SET key = substr(key, length('$mark') + 1);
		UPDATE DBPROF_META SET value = substr(value, length('$mark') + 1) WHERE key = 'version';
	EOF
fi
sqlite3 -bail "$file" <"$file.sql"
rm "$file.sql"
