/* jump_check.h: are the table of jumps, the boxes of goals and the records of jumping searches
 * right? Only in builds with CAIRN_CHECKS. Each returns what is wrong, NULL if nothing is (see
 * open/open_check.h). */
#ifndef CRN_JUMP_CHECK_H
#define CRN_JUMP_CHECK_H

#include "jump/boxes.h"
#include "jump/records.h"
#include "jump/table.h"

#if defined(CAIRN_CHECKS)
/* The space must keep runs. */
const char *crn_jump_table_check(const crn_jump_table *table, const crn_grid_space *space);
const char *crn_jump_boxes_check(const crn_jump_boxes *boxes, const crn_grid_space *space);
const char *crn_jump_records_check(const crn_jump_records *records);
#endif

#endif
