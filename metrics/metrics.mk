# metrics.mk: finds the metric sets, for GNU make: a new .set file in this folder is installed.
metric_sets := $(sort $(patsubst $(srcdir)/%,%,$(wildcard $(srcdir)/metrics/*.set)))
