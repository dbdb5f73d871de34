/* status.h: the exit statuses of dbprof. */
#ifndef DBPROF_CMD_STATUS_H
#define DBPROF_CMD_STATUS_H

/* The last two belong to `dbprof compare`. `dbprof trace` ends as its program does, with any status. */
enum exit_status { STATUS_DONE = 0, STATUS_FAILED = 1, STATUS_USAGE = 2, STATUS_SLOWER = 3, STATUS_UNCLEAR = 4 };

#endif
