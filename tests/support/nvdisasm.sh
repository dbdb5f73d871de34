#!/bin/sh
# nvdisasm.sh: stands for NVIDIA's nvdisasm where kernels are the stand-in GPU's, whose modules have one kernel each and the number of
# its code. Kernels of code 0 are a load and an addition; those of another code load ahead, in other registers.
#
# usage: nvdisasm.sh -c MODULE [-gi]
# SOURCE: the file that the line table names; $SOURCE.none: none, and -gi fails as for a damaged table.
[ "$1" = -c ] && [ -f "$2" ] || exit 1
kernel=$(tr -c '[:graph:]' '\n' <"$2" | sed -n 's/^\.text\.//p')
code=$(od -An -tu1 -j308 -N1 "$2" | tr -d ' ')
[ -n "$kernel" ] || exit 1
if [ "$3" = -gi ] && [ -e "$SOURCE.none" ]; then
	echo 'nvdisasm fatal   : the line table is damaged' >&2
	exit 255
fi

# at LINE: what stands before the instructions of a source line.
at() {
	[ "$given" != -gi ] || printf '\t//## File "%s", line %s\n' "$SOURCE" "$1"
}
given=$3
printf '\t.headerflags\t@"EF_CUDA_SM90"\n\n//--------------------- .text.%s ---\n\t.section\t.text.%s,"ax",@progbits\n%s:\n.text.%s:\n' \
	"$kernel" "$kernel" "$kernel" "$kernel"
at 3
echo '        /*0000*/                   LDC R1, c[0x0][0x28] ;'
if [ "$code" = 0 ]; then
	at 5
	echo '.L_x_0:
        /*0010*/                   LDG.E R2, desc[UR4][R4.64] ;
        /*0020*/                   FADD R3, R2, R3 ;'
else
	[ "$given" != -gi ] || printf '\t//## File "/nowhere/ahead.h", line 7 inlined at "%s", line 4\n' "$SOURCE"
	at 4
	echo '        /*0010*/                   LDGSTS.E [R8], desc[UR4][R6.64] ;'
	at 5
	echo '.L_x_0:
        /*0020*/                   LDG.E R8, desc[UR4][R6.64] ;
        /*0030*/                   FADD R9, R8, R9 ;'
fi
at 6
printf '        /*0100*/              @!P0 BRA `(.L_x_0) ;\n        /*0110*/                   EXIT ;\n.L_x_1:\n'
