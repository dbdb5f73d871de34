# fuzz.mk: builds the fuzz targets with a clang that has libFuzzer, everything with ASan and UBSan. Makefile.am calls it
# and gives: FUZZ_CC, srcdir, SOURCES (of the rooms and of what targets share), TARGETS, CPPFLAGS, LIBS.
out = tests/fuzz/clang
instrument = -O1 -g -gline-tables-only -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined \
	-fno-sanitize-recover=all
# Where the files that travel with dbprof are: whoever runs a target says it by DBPROF_DATADIR.
folders = $(foreach name,PKGDATADIR PKGLIBDIR BINDIR SRCDIR BUILDDIR,-DDBPROF_$(name)='"$(srcdir)"')

archive_objects = $(patsubst %.c,$(out)/%.o,$(filter %.c,$(SOURCES)))

all: $(TARGETS:%=$(out)/fuzz-%)

$(out)/fuzz-%: $(out)/tests/fuzz/%.o $(out)/rooms.a
	@echo "  FUZZLD   $@"
	@$(FUZZ_CC) $(instrument) -fsanitize=fuzzer -o $@ $(filter %.o,$^) $(out)/rooms.a $(LIBS)

$(out)/rooms.a: $(archive_objects)
	@rm -f $@
	@ar cr $@ $(archive_objects)

# One command in each recipe, which make starts without a shell.
$(shell mkdir -p $(sort $(dir $(archive_objects) $(TARGETS:%=$(out)/tests/fuzz/%.o))))
nothing :=
$(out)/%.o: $(srcdir)/%.c
	$(info $(nothing)  FUZZCC   $<)@$(FUZZ_CC) -std=c17 -w $(CPPFLAGS) $(folders) $(instrument) -MMD -MP -c -o $@ $<

-include $(archive_objects:.o=.d) $(TARGETS:%=$(out)/tests/fuzz/%.d)

.PHONY: all
.SECONDARY:
