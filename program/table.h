/* table.h: aligned tables for people. Cells are added row by row, left to right. */
#ifndef PROGRAM_TABLE_H
#define PROGRAM_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { TABLE_COLUMNS = 24 };

typedef struct table {
    uint32_t columns;
    bool right[TABLE_COLUMNS]; /* numbers stand on the right */
    char **cells;
    size_t count, capacity;
    bool failed;
} table;

/* A heading that starts with '>' makes a column of numbers. */
table table_with(const char *const *headings, uint32_t columns);
void table_add(table *t, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Prints the table on standard output or elsewhere, headings bold on a terminal; false if memory
 * ran out. The table is empty afterwards. */
bool table_print(table *t);
bool table_print_to(table *t, FILE *out);

#endif
