/*
 * thresholds.h: the numbers that judge: from where on something counts, each with its meaning and unit. What verdicts,
 * checks and causes are measured against stands here and nowhere else.
 */
#ifndef DBPROF_ANALYZE_THRESHOLDS_H
#define DBPROF_ANALYZE_THRESHOLDS_H

/* ---- verdicts ---- */

/* Two times whose ratio lies this close to 1 are the same. Share of a time. */
static const double same_band = 0.01;

/* Sampling may stop when the interval of a speed-up is narrower than this. Share of the speed-up. */
static const double settled_width = 0.01;

/* ---- checks of the evidence ---- */

/* A verdict needs this many blocks with times of both variants, and sampling does not stop before. */
enum { BLOCKS_NEEDED = 12 };

/* SM clocks further apart than this make times incomparable. Share of the faster clock. */
static const double clock_tolerance = 0.02;

/* The clock is steady if at most this share of its samples lies outside clock_tolerance. */
static const double clock_stray_limit = 0.05;

/* Throttled blocks are set apart. If more than this share of all blocks was throttled, the others prove nothing either.
 * Unless the power limit alone throttled them: then all blocks count, and cycles decide (model/family/readings.h). */
static const double throttled_limit = 0.25;

/* From this lag-1 autocorrelation on, blocks are no independent witnesses: the interval is too narrow. -1 to 1. */
static const double drift_limit = 0.5;

/* ---- contrasts of programs ---- */

/* A verdict needs this many whole blocks. Each run is a process of its own, so a block is dear and independent. */
enum { PROGRAM_BLOCKS_NEEDED = 6 };

/* One side must be the faster one in more pairs of runs of a block than chance gives in 2 % of equal programs. Quantile
 * of the normal distribution: 1 % on either side. */
static const double program_ranks_quantile = 2.326348;

/* A budget that is advised has this share more than the blocks took so far, since some blocks take longer than others.
 */
static const double program_budget_reserve = 0.2;

/* What `dbprof contrast` takes if nobody says otherwise: for all timed runs, and for one at most (s). */
enum { CONTRAST_BUDGET_S = 60, CONTRAST_TIMEOUT_S = 60 };

/* Mean SM clocks of two sides further apart make their times incomparable, unless cycles show the same. Share of the
 * faster clock. */
static const double program_clocks_apart = 0.01;

/* Tracing may change a step's host time by at most this part of the difference that it shows. */
static const double program_tracing_part = 0.5;

/* The periods of a run are the time of its work if the GPU's lag behind the host changes by at most this share of them.
 * Else work piles up, and they are the time of asking for it. With two sides the errors stay within same_band. */
static const double period_lag_share = 0.005;

/* A pipeline is filled where the lag differs by no more from what it mostly is. Share of a mean period. */
static const double period_filled = 0.1;

/* So many of the last periods may be left out, for a lag that is that of the first. Share of them. */
static const double period_end_part = 0.25;

/* It is that of the first if it differs by no more than this share of the time that counts. */
static const double period_end_lag = 0.001;

/* A program that pauses between steps, as for a checkpoint: what is so many times the median of its periods is none, if
 * on no side more than this share of them are such. */
static const double period_pause = 10;
static const double period_pauses_most = 0.05;

/* A period without CUPTI may be so much shorter than the GPU is busy in one with it. Share of that. */
static const double period_short = 0.05;

/* The kernels of a step run at once if their times add up to so much more than the GPU is busy with them: then both are
 * told. Share of the time in which it is. */
static const double program_kernels_at_once = 0.02;

/* Where more of a run's steps or kernel time than this does not count, what all steps take must bear out what those
 * take that count. Shares, of what lies between the first steady step and the last. Work between the steps differs
 * clearly from this part of a step on. */
static const double program_left_part = 0.1;

/* Where more than this part of a side's steps does not count, warm-up aside, all of them must give the same verdict. */
static const double program_rest_part = 0.5;

/* Where more of a side's steps than this, or of the time of its steps, is of kinds that the other side has not, what
 * all steps take must not contradict the verdict. A kind is no counterpart if its share of steps is less than
 * program_lone_rare of the other's. */
static const double program_lone_part = 0.1;
static const double program_lone_rare = 0.1;

/* The steps before the first one that counts are warm-up if they are no more of a process than program_left_part. A
 * short run may have so many, if they are fewer than those behind them: compilation, capture of a graph and the search
 * for the fastest kernel take a few steps, however long these are. A phase of its own has more. */
enum { WARM_UP_STEPS = 5 };

/* Where the steps that count have several shapes, with other grids: the shares that one has on the two sides may be so
 * far apart. */
static const double program_shares_apart = 0.005;

/* Where other kinds of steps count on the two sides, many steps do not, or work lies outside of steps: what all of it
 * says may differ from what the steps say that count by this part of that, as logarithms of ratios. */
static const double program_kinds_apart = 0.25;

/* Two sides leave out as many steps if they differ by no more than this number of them: by one, and by what the numbers
 * of all their steps differ in. */
static const double program_steps_apart = 1.5;

/* Which steps count without CUPTI is told by traced runs. Where that is wrong of these by less than this part of a
 * step, it is no matter. */
static const double program_places_apart = 1e-3;

/* The time between two steps differs if it does by more than program_left_part of a step, and by more than this part of
 * the time from one begin to the next. */
static const double program_period_part = 0.05;

/* The first step of a process is a sample of one side, and warm-up of the other, if its share of the samples is larger
 * there in so many more pairs of a run of each than it is smaller. Share of the pairs. */
static const double program_begins_apart = 0.25;

/* What `--kernel` chose may have no match in so much of a side's time. Share. */
static const double program_unmatched_part = 0.1;

/* It is told if more than this part of what a step takes less or more is there again between the steps. */
static const double program_moved_part = 0.5;

/* What is known of all steps holds for the first ones that count if a step takes as long over both, give or take this
 * part of it. */
static const double step_parts_apart = 0.05;

/* The time between two steps is longer on one side if it is so in this share of all pairs of a run of each. */
static const double program_pairs_apart = 0.9;

/* What runs of one program may differ by, where each side has one run only: half the width of a 95 % interval, as a
 * share. Assumed, not measured: docs/compare.md. All kernels together; one kernel; host times. */
static const double traced_kernels_allowance = 0.005;
static const double traced_kernel_allowance = 0.0075;
static const double traced_program_allowance = 0.02;

/* What holds a whole run of one program longer than another may be chance up to this share: when its processes begin,
 * what the host waits for. Assumed: docs/compare.md. */
static const double traced_run_chance = 0.1;

/* Of so many parts of a traced run the slowest one and the fastest one are no part of its mean. */
enum { PARTS_OF_A_CUT = 12 };

/* Of the values that a contrast varies, and of numbers of stages, the smallest whose time is so close to the best one's
 * is as good. Share of the best one's time. */
static const double value_as_good = 0.02;

/* A step becomes several estimates of itself if the kernels that are launched at least once for each part take at least
 * this share of its time. */
static const double split_share = 0.95;

/* ---- causes: docs/causes.md ---- */

/* A gain or loss below this is slight. Share of the slower time over the faster one, less 1. */
static const double slight_gain = 0.05;

/* A cause with a smaller part is not named. Share of the difference. */
static const double named_share = 0.1;

/* What explains at least this share of a difference or of a loss explains it. */
static const double main_part_share = 0.5;

/* Copies and idle time count as changed from this share on. */
static const double notable_share = 0.05;

/* Work (instructions, bytes) is counted exactly, but a change below twice same_band can hardly make a difference in
 * time. Share of single's. */
static const double notable_work_share = 0.02;

/* So many times the warps, which issue as much less each: a warp does the work of several of the other side. Half again
 * is a producer warp beside two others. */
static const double other_work_ratio = 1.6;

/* The last wave counts as changed if the share of the SMs' time that the grid can use changes by as much. */
static const double wave_change = 0.05;

/* How well another recording of the same code repeats counters (95 %), by six recordings of 22 kernels on H100s:
 * docs/causes.md has the table. Shares of the time that warps spend in a state: at barriers and waiting for memory, and
 * in the others; share of all warp time, for states that are small. */
static const double wait_repeat = 0.03, work_repeat = 0.01, share_repeat = 0.003;

/* The same of the time in which SMs have work: share of it, and ns at least, for kernels of a few microseconds. */
static const double active_repeat = 0.01, active_least_ns = 80;

/* The same of the achieved occupancy: share of it. */
static const double occupancy_repeat = 0.005;

/* Numbers of launches in a step, means over steps, that lie this near to their middle are the same: share of it. */
static const double launches_alike = 0.002;

/* A unit at this throughput or more is the bottleneck, as in the guide of Nsight Compute. % of peak. */
static const double bottleneck_percent = 80;

/* A single stall reason that takes at least this much is what warps wait for. % of warp time. */
static const double dominant_percent = 30;

/* From this size on a counter counts wholly as a mover, and the less the smaller it is: % where it is a share, bytes
 * where it is traffic, which memory moves in less than a microsecond. */
static const double full_mover_percent = 10, full_mover_bytes = 1e6;

/* Two kernels whose shared memory differs by less have the same footprint: since Ampere the system adds 1 KiB to every
 * block. Bytes. */
enum { FOOTPRINT_BYTES = 1024 };

/* ---- advice on stages: docs/advise.md ---- */

/* More stages pay from this gain on, as a share of the time. The likely interval, which holds two truths of three, has
 * this part of the width of the one that is told, which is meant to hold nine of ten: as normal errors have. */
static const double pays_gain = 0.03, likely_part = 0.61;

/* Where the interval of what does not pay reaches this gain, the verdict is probable: nobody would leave so much. */
static const double left_gain = 0.1;

/* A unit has reached its limit at this share of its peak: a copy of device memory, which does nothing else, comes so
 * far on an H100. Nobody knows the limit better than by this share of it. */
static const double full_unit = 0.89, full_doubt = 0.05;

/* From this share of its peak on device memory tells how long counters counted. */
static const double dram_tells = 0.05;

/* Bytes that an SM which loads alone is taken to have from the L2 cache in a cycle; 128 are the peak of an H100's. */
static const double port_bytes = 64;

/* Instructions that a ring needs in a round, for each warp, beside its copies: for its places, its groups, and the
 * rounds at its ends, less the stores it saves. The median of 28 products of Triton, from 5 to 39, whose instructions
 * were counted with one stage and with three. */
static const double ring_instructions = 27, ring_least = 5, ring_most = 39;

/* Parts of half the interval of a gain's logarithm. They are: what a kernel's time repeats to; the model, as a share of
 * the gain; another compilation; the step from registers to copies; copies that are narrower than the loads were, or
 * that bring what was used from registers; another number of blocks on an SM, as a share of its logarithm; tiles ahead
 * that are only guessed. */
static const double doubt_repeat = 0.03, doubt_model = 0.35, doubt_compiled = 0.05, doubt_copied = 0.1;
static const double doubt_narrow = 0.25, doubt_blocks = 0.3, doubt_guessed = 0.15;

/* ---- rules of sweeps ---- */

/* A rule needs at least this many points on each side of its threshold. */
enum { RULE_POINTS = 3 };

/* What holds at every point is called so from this many points on: fewer might be so by chance. */
enum { EVERYWHERE_POINTS = 6 };

/* A rule may have exceptions, and tells how many: at most this share of the points on each side. */
static const double rule_exceptions = 0.1;

/* Unclear points neither support a rule nor contradict it. Where more than this share of all compared points is
 * unclear, no rule is told. */
static const double rule_unclear = 0.25;

/* What random verdicts would give more often than this is no rule, and no variable that explains a gain. Share of all
 * random verdicts. */
static const double rule_chance = 0.02;

/* A variable explains the gain from this rank correlation on, of either sign, over at least so many points. */
static const double strong_correlation = 0.6;
enum { CORRELATION_POINTS = 6 };

/* Of the items of a rate that is sustained, at most this share waits: a busy host makes one wait now and then. */
static const double waits_most = 0.01;

/* ---- a traced program ---- */

/* Copies without a kernel beside them that take less than this leave nothing to gain. Share of the span. */
static const double exposed_least = 0.01;

/* Where other threads did so much of the work while a range of --range was open, no gain is estimated from the rest:
 * the GPU was not free when that did nothing. Share of the time of all this work. */
static const double others_most = 0.01;

/* Copies that overlap kernels for more than this are hidden already. Share of the copies' time. */
static const double hidden_enough = 0.8;

/* A loop that would gain less with any number of buffers is not listed. Share of the loop. */
static const double pays_least = 0.02;

/* A loop that takes turns with streams has its buffers. With more of them it is listed if these gain so much. Share of
 * the loop. */
static const double more_buffers_least = 0.05;

/* The fewest buffers whose gain is so close to the best one's are advised. Share of the loop. */
static const double buffers_as_good = 0.02;

/* A replay of a loop as it was reproduces it if it is off by no more. Share of the loop. */
static const double replay_tolerance = 0.02;

/* A loop with more kernels a round has several in each. */
static const double several_kernels = 1.5;

/* A kernel that took so many times as long as at the same place of other rounds was held up by a collective that waited
 * beside it, for so long at least (ns). */
static const double stretched_kernel = 1.15;
enum { STRETCHING_WAIT = 20000 };

/* A group of copies counts in what is advised for a loop from here on. Share of the time that the loop loses. */
static const double group_matters = 0.1;

/* Loops of two threads run at the same time if they share this part of the shorter one's time. */
static const double together_part = 0.5;

/* A place that was looked at in part may be entered so much more or less often than its range. Share of the number. */
static const double place_about = 0.05;

/* Loops without a gain are told from here on. Share of the time of all work. */
static const double loop_told = 0.01;

/* Migrations of managed memory with no kernel beside them are told from here on. Share of the loop. */
static const double managed_least = 0.02;

/* How much copies in both directions slow each other down is told by so many copies of one direction and size, if the
 * shares of their time beside the other direction have this standard deviation, and the rate this standard error. */
enum { DUPLEX_COPIES = 16 };
static const double duplex_spread = 0.1, duplex_error = 0.03;

/* Where neither a loop's calls nor their work go on for so long, the program pauses and the loop ends. Rounds, of the
 * median length. */
static const double pause_rounds = 10;

/* Pauses are looked for in so many rounds or more, if this part of them takes at most so many times the median. */
enum { PAUSE_ROUNDS_LEAST = 12 };
static const double pause_steady_part = 0.75, pause_steady_times = 2;

/* Pauses at equal distances are the loop's rhythm, such as an evaluation each 50 rounds. Distances (in rounds) are
 * equal up to this share, and one round. More pauses than PAUSES_MOST part no loop, at whatever distances they come. */
static const double pause_rhythm = 0.1;
enum { PAUSES_MOST = 8 };

/* Rounds ahead of a pause are a warm-up if there are at most so many of them. Share of the rounds behind it. */
static const double warm_up_part = 0.35;

/* That memory is made once, before a loop, is told where so much of the gain counts it. Share of the gain. */
static const double memory_least = 0.1;

/* Time in which a GPU waits for the host is told from here on. Share of the loop. */
static const double late_least = 0.02;

/* A GPU is unusual among at least so many if one of its times lies at least so many standard deviations from the
 * median. A standard deviation is this share of the median span at least.
 * docs/report-json.md. */
enum { UNUSUAL_AMONG = 4 };
static const double unusual_score = 3.5, unusual_least = 0.02;

/* ---- time stamps in a kernel ---- */

/* A change below this is none: shares of the kernel's time and of a block's life. */
static const double stamps_unnoticed = 0.0005;

/* Above this the stamps change what they measure: docs/passes.md. Share of the kernel's time. */
static const double stamps_disturb = 0.03;

/* Up to this a stamped block may live longer, and its picture is taken as it is. Share of a plain block's life. */
static const double stamps_stretch = 0.1;

/* Operations per second over the rate of FMA, as measured: above this something else computed. */
static const double roof_passed = 1.1;

/* ---- what is worth showing ---- */

/* An instruction with fewer PC samples than this is left out: it tells nothing, and a kernel has thousands of them.
 * Share of all samples. */
static const double instruction_share = 0.001;

/* Of a rung that is not one of the pair, a line with fewer of its samples than this is left out: rungs are many. */
static const double rung_line_share = 0.01;

/* An instruction with so much of a kernel's samples stays in sight where its code is cut. */
static const double hot_share = 0.02;

/* Of the kernels of programs that are contrasted, these have times of their own: at most so many, and none with less
 * than this share of the time of all kernels of each side. */
enum { CASES_OF_KERNELS = 32 };
static const double case_share = 0.01;

/* Where more kernels of a side than this have a name that the other side lacks, none is matched by its place: these are
 * two programs, not two versions of one. */
enum { PLACE_MATCHES_MOST = 32 };

/* Of those, hardware counters are collected for the ones that make up this part of the difference, of one program of
 * the time: at most so many, or as many as are asked for. A
 * kernel beside which others run for more than this share of its time is not counted, since counters are of the GPU. */
enum { COUNTED_KERNELS = 10, CHOSEN_KERNELS_MOST = 64 };
static const double counted_difference = 0.9;
static const double counted_beside = 0.01;

/* CUDA graphs that were counted stand for kernels where they have all of their time: the times of graphs and of kernels
 * are medians over runs, and differ by less than this share. Within it one graph is all that a step launches. */
static const double graphs_apart = 0.01;

#endif
