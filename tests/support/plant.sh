# plant.sh FILE MARK: puts MARK into each text of a recording, before what is there. Equal texts stay equal, so that rows still belong
# together. A table without rows gets one that is full of it. The version of the format and its keys stay: without them it is no recording.
set -eu
file=$1 mark=$2

# In one transaction: else the disk is waited for once a column.
{
	echo 'PRAGMA synchronous = OFF; BEGIN;'
	# Lines TABLE|NAME|TYPE.
	sqlite3 "$file" "SELECT m.name, c.name, c.type FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' ORDER BY m.name, c.cid" |
		awk -F'|' -v mark="$mark" '
			function full_row() {
				if (table != "")
					printf "INSERT INTO \"%s\" (%s) SELECT %s WHERE NOT EXISTS (SELECT 1 FROM \"%s\");\n", table, names, values, table
				names = values = ""
			}
			$1 != table { full_row() }
			{
				table = $1
				printf "UPDATE \"%s\" SET \"%s\" = '\''%s'\'' || \"%s\" WHERE typeof(\"%s\") = '\''text'\'';\n", table, $2, mark, $2, $2
				names = names (names == "" ? "" : ", ") "\"" $2 "\""
				values = values (values == "" ? "" : ", ") ($3 ~ /TEXT/ ? "'\''" mark "-" table "-" $2 "'\''" : 1)
			}
			END { full_row() }'
	if sqlite3 "$file" "SELECT name FROM sqlite_master WHERE type = 'table'" | grep -qx DBPROF_META; then
		cat <<-EOF
			UPDATE DBPROF_META SET key = substr(key, length('$mark') + 1);
			UPDATE DBPROF_META SET value = substr(value, length('$mark') + 1) WHERE key = 'version';
		EOF
	fi
	echo 'COMMIT;'
} >"$file.sql"
sqlite3 -bail "$file" <"$file.sql"
rm "$file.sql"
