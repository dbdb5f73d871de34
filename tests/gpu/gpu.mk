# gpu.mk: for GNU make: `make check` builds the programs that only a GPU runs where one may be (as have_gpu in tests/init.sh, but without
# asking what an NVIDIA device is), and where they are to be compiled all the same: nvcc takes half a minute of processors for them.
ifneq (,$(filter ci long,$(DBPROF_TESTS))$(wildcard /dev/nvidia[0-9]* /dev/dxg)$(shell grep -lx 0x10de /sys/bus/pci/devices/*/vendor 2>/dev/null))
check_PROGRAMS += $(gpu_programs)
endif
