/* Linked with -rdynamic: plugin.so measures with this program's runtime, and is closed before the report. */
#include <call.h>
#include <dlfcn.h>
#include <stdio.h>

static const cll_unit unit = {"closed", "closed.c", CLL_SEQUENTIAL, 0, NULL};

CLL_REGISTER(unit);

int main(void)
{
    void *plugin = dlopen("./plugin.so", RTLD_NOW);
    if (plugin == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    void (*measure)(void);
    *(void **)&measure = dlsym(plugin, "measure");
    measure();
    dlclose(plugin);
    cll_report(&unit, NULL, NULL);
    return 0;
}
