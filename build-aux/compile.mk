# compile.mk: how a C file is compiled, for GNU make, instead of Automake's rules for it. Those start a shell for each file, which
# starts sed and mv to put the list of headers in its place, and configure makes an empty list for each object: that took a quarter of
# the time of a build, and half of configure's. Here the compiler writes the list beside the object. One that is killed may leave half
# a .d: make names it then, and it can go.
nothing :=
%.o: private SHELL = /bin/sh
%.o: %.c
	$(if $(AM_V_CC),$(info $(nothing)  CC       $@)@)$(COMPILE) $(header_list) -c -o $@ $<
header_lists := $(wildcard $(addsuffix *.d,src/ src/*/ src/*/*/ src/*/*/*/ kernels/ kernels/*/ tests/ tests/*/ tests/*/*/))
-include $(header_lists)
# No other file is to be compiled anew for another prefix.
src/util/file/datafile.o: private AM_CPPFLAGS += $(folder_cppflags)
