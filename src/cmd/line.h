/* line.h: the command line as it was typed, for the recording. */
#ifndef DBPROF_CMD_LINE_H
#define DBPROF_CMD_LINE_H

/* Called once, by main(). */
void cmd_line_set(int argc, char **argv);

/* Quoted where the shell needs it; cut short after 4095 bytes. */
const char *cmd_line(void);

/* The same behind the variables that choose GPUs, as far as they are set: "CUDA_VISIBLE_DEVICES=1 dbprof contrast ...".
 * Called by one thread. */
const char *cmd_line_on_gpus(void);

#endif
