#!/bin/sh
# disassembly.sh FOLDER: packs what `nvdisasm -g -c` says of the cubins of cubins.sh, FOLDER/FILE.ARCH.sass, as sass.zst here. Paths of
# sources become base names, and what is no code of a kernel is left out.
set -e
to=$(cd "$(dirname "$0")" && pwd)
cd "$1"
for file in *.*.sass; do
	echo "//## code ${file%.sass}"
	sed -E 's|File "[^"]*/([^"/]*)"|File "\1"|; s/[ \t]+/ /g; s/ ;$/;/' "$file" | awk '
		/^ ?\.section / { is_code = /^ ?\.section \.text\./; next }
		!is_code || /^ ?$/ || /^\/\/--/ || /^ ?\.[a-z]+ / { next }
		{ print }'
done >"$to/sass.txt"
zstd -q --ultra -22 -f "$to/sass.txt" -o "$to/sass.zst"
rm "$to/sass.txt"
