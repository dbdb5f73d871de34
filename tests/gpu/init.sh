# init.sh: what every test in this folder begins with: the common one, and a GPU, or the test is skipped; and what they
# ask of dbprof's machine code.
. "${srcdir:-.}/tests/init.sh"

have_gpu || skip "no NVIDIA GPU in this machine"
have_cuda || skip "this dbprof was built without CUDA"
have_sanitizers && skip "CUDA does not work under the address sanitizer"

# list_machine_code: puts that of dbprof into $work/sass, for kernels_have(). Skips the rest of the test without cuobjdump.
list_machine_code() {
	command -v cuobjdump >/dev/null || skip "cuobjdump is missing"
	cuobjdump -sass "$dbprof" >"$work/sass"
}

# kernels_have FUNCTION INSTRUCTION: each kernel whose name matches has the instruction, and there is such a kernel.
kernels_have() {
	awk -v name="$1" -v wanted="$2" '
		/Function : / { if (on && !found) bad = 1; on = $0 ~ name; found = 0; any += on }
		on && $0 ~ wanted { found = 1 }
		END { exit bad || (on && !found) || !any }' "$work/sass" || fail "a kernel like $1 has no $2"
}
:
