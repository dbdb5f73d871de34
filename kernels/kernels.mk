# kernels.mk: finds the kernels, for GNU make. A new .cu file in this folder is a family, or part of one with code for other GPUs. One
# in tools/ is none: it measures the machine, and reports do not show it. host/ has what families share on the host, a
# folder with a family's name what that family alone has there.

kernels_named = $(sort $(patsubst $(srcdir)/%,%,$(wildcard $(addprefix $(srcdir)/kernels/,$(1)))))
kernel_sources := $(call kernels_named,*.cu)
tool_sources := $(call kernels_named,tools/*.cu)
# These are part of the code that the report shows.
shown_headers := $(call kernels_named,*.cuh)
kernel_files := $(kernel_sources) $(tool_sources) $(shown_headers) $(call kernels_named,*.h */*.h tools/*.cuh)

kernel_objects = $(kernel_sources:.cu=.o)
tool_objects = $(tool_sources:.cu=.o)

# Makefile: another --with-cuda-arch makes other objects.
$(kernel_objects) $(tool_objects): $(srcdir)/build-aux/nvcc-object $(srcdir)/build-aux/kernel-targets Makefile
kernels/embedded.c: $(kernel_objects) $(addprefix $(srcdir)/,$(shown_headers)) $(srcdir)/kernels/kernels.mk
libkernels.a: $(kernel_objects) $(tool_objects)

# Each family and each part has a line in the table, and each line has its file.
families-listed: $(srcdir)/kernels/families.def
	@for file in $(notdir $(kernel_sources:.cu=)); do \
		name=`echo $$file | tr - _`; \
		grep -q "^\(FAMILY\|PART\)($$name)" $< || { \
			echo "kernels/$$file.cu is not in the table of families: add the line FAMILY($$name), or PART($$name), to kernels/families.def" >&2; \
			exit 1; \
		}; \
	done; \
	for name in `sed -n 's/^\(FAMILY\|PART\)(\(.*\)).*/\2/p' $<`; do \
		file=`echo $$name | tr _ -`; \
		test -f $(srcdir)/kernels/$$file.cu || { \
			echo "kernels/families.def names $$name, but there is no kernels/$$file.cu" >&2; exit 1; \
		}; \
	done
$(kernel_objects) libkernels.a: | families-listed
all-am: families-listed

# The table in README.md, from dbprof's own.
families-table: dbprof
	$(SHELL) $(srcdir)/build-aux/families-table ./dbprof $(srcdir)/README.md
.PHONY: families-listed families-table
