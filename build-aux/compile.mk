# compile.mk: how a C file is compiled, for GNU make, instead of Automake's rules for it. With those a shell, sed and mv put each list of
# headers in its place, which took a quarter of the time of a build. Before that configure made an empty list for each object, which
# took half of its time. Here the compiler writes the list beside the object. If it is killed, it may leave half a list: make names that
# file then, and it can be deleted.
nothing :=
%.o: private SHELL = /bin/sh
%.o: %.c
	$(if $(AM_V_CC),$(info $(nothing)  CC       $@)@)$(COMPILE) $(header_list) -c -o $@ $<
header_lists := $(wildcard $(addsuffix *.d,src/ src/*/ src/*/*/ src/*/*/*/ src/*/*/*/*/ kernels/ kernels/*/ tests/ tests/*/ tests/*/*/))
-include $(header_lists)
# No other file is to be compiled anew for another prefix.
src/util/file/datafile.o: private AM_CPPFLAGS += $(folder_cppflags)
