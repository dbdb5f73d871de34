# init.sh: what every test in this folder begins with: the common one, and a GPU, or the test is skipped.
. "${srcdir:-.}/tests/init.sh"

have_gpu || skip "no NVIDIA GPU in this machine"
have_cuda || skip "this dbprof was built without CUDA"
have_sanitizers && skip "CUDA does not work under the address sanitizer"
:
