#!/bin/sh
# cubins.sh FOLDER: compiles the kernels of known depth for each architecture of truth.txt, as FOLDER/FILE.ARCH.cubin.
set -e
to=$1
cd "$(dirname "$0")"
for arch in 80 86 90a 100a; do
	files='registers ldgsts none toolkit'
	case $arch in 90a | 100a) files="$files bulk" ;; esac
	for file in $files; do
		"${NVCC:-nvcc}" -std=c++17 -cubin -lineinfo -arch=sm_$arch "$file.cu" -o "$to/$file.$arch.cubin"
	done
done
