/* Counters of embedded processors: `around` begins before they are there (50 new pages) and ends behind `inside`, in which processor p
 * writes to 100*(p + 1) new pages; `none` counts what nobody has. */
#include <bsp.h>
#include <call.h>
#include <stddef.h>
#include <sys/mman.h>

#define PAGE_BYTES 4096

static const cll_block blocks[] = {{NULL, 3, 9}};
static const char *const counters[] = {"page-faults"};
static const char *const none_counters[] = {"PAPI_FAKE_1"};
static const cll_experiment around = {"around", NULL, 0, NULL, 0, 1, blocks, 1, counters, NULL};
static const cll_experiment inside = {"inside", NULL, 0, NULL, 0, 1, blocks, 1, counters, NULL};
static const cll_experiment none = {"none", NULL, 0, NULL, 0, 1, blocks, 1, none_counters, NULL};
static const cll_experiment *const experiments[] = {&around, &inside, &none};
static const cll_unit unit = {"counters_bsplib", "counters_bsplib.c", CLL_BSPLIB, 3, experiments};

CLL_REGISTER(unit);

__attribute__((no_sanitize("address", "undefined"))) static void touch(volatile unsigned char *bytes, int count)
{
    for (int page = 0; page < count; page++) {
        bytes[page * PAGE_BYTES] = 1;
    }
}

static unsigned char *map_pages(int count)
{
    void *mapped = mmap(NULL, (size_t)count * PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) {
        bsp_abort("no pages");
    }
    madvise(mapped, (size_t)count * PAGE_BYTES, MADV_NOHUGEPAGE);
    return mapped;
}

int main(void)
{
    unsigned char *first = map_pages(50);
    cll_begin(&around, NULL);
    touch(first, 50);
    bsp_begin(bsp_nprocs());
    int count = 100 * (bsp_pid() + 1);
    unsigned char *second = map_pages(count);
    cll_begin(&inside, NULL);
    touch(second, count);
    cll_end(&inside);
    cll_begin(&none, NULL);
    cll_end(&none);
    cll_end(&around);
    cll_report(&unit, NULL, NULL);
    bsp_end();
    return 0;
}
