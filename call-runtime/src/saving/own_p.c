/* own_p.c: the line `# other_P: ROWS VALUE PROCESSORS` of an experiment. The header is written before the rows are known, so the line has
 * a fixed length and is written again. */
#include "own_p.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../base/fail.h"

enum { LINE_BYTES = 72 };

/* Blanks fill it up. */
static void write_line(char *line, const cll_own_p *own)
{
    char text[LINE_BYTES] = "0";
    if (own->rows > 0) {
        snprintf(text, sizeof text, "%llu %.9g %d", (unsigned long long)own->rows, own->value, (int)own->processors);
    }
    snprintf(line, LINE_BYTES + 1, "# other_P: %-*.*s\n", LINE_BYTES - 12, LINE_BYTES - 12, text);
}

void cll_own_p_announce(cll_own_p *own, cll_writer *writer)
{
    char line[LINE_BYTES + 1];
    own->place = writer->written_bytes + writer->used_bytes;
    write_line(line, own);
    cll_write_text(writer, line);
}

/* A row of a summary stands for several measurements, a sample of it for none. */
void cll_own_p_look(cll_own_p *own, const cll_layout_experiment *experiment, const cll_row *row)
{
    int value_count = cll_value_count(experiment->description);
    int is_summary = experiment->value_count == value_count + CLL_SUMMARY_VALUES;
    if (own->place == 0) {
        return;
    }
    double value = cll_row_value(row, experiment->processors_value, CLL_REAL).real;
    if (value == row->processors) {
        return;
    }
    if (own->rows == 0) {
        own->value = value;
        own->processors = row->processors;
    }
    own->rows += is_summary ? row->values[value_count + CLL_SUMMARY_COUNT].natural : 1;
}

void cll_own_p_tell(const cll_own_p *own, const char *experiment, cll_writer *writer)
{
    char line[LINE_BYTES + 1];
    if (own->rows == 0) {
        return;
    }
    write_line(line, own);
    if (writer->error == 0 && pwrite(writer->file, line, LINE_BYTES, (off_t)own->place) != LINE_BYTES) {
        writer->error = errno != 0 ? errno : EIO;
    }
    cll_tell("%s: in %llu %s the variable P of the program is not the number of processors, such as %.9g where there %s %d: formulas have the "
             "variable; rename it if the processors are meant",
             experiment, (unsigned long long)own->rows, own->rows == 1 ? "row" : "rows", own->value, own->processors == 1 ? "is" : "are",
             (int)own->processors);
}
