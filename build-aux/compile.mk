# compile.mk: how a C file is compiled, for GNU make, instead of Automake's rule for it: that starts a shell, which starts sed to learn
# where the list of headers belongs, and mv to put it there. GNU make knows the place, and starts the compiler itself: files here are
# short, and it took a quarter of the time. A compiler that is killed may leave half a .Po: make names it then, and it can go.
nothing :=
%.o: private SHELL = /bin/sh
%.o: %.c
	$(if $(AM_V_CC),$(info $(nothing)  CC       $@)@)$(COMPILE) -MT $@ -MD -MP -MF $(@D)/$(DEPDIR)/$(*F).Po -c -o $@ $<
# No other file is to be compiled anew for another prefix.
src/util/file/datafile.o: private AM_CPPFLAGS += $(folder_cppflags)
