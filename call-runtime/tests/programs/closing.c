/* Opens plugin.so, which has a runtime of its own here, lets it measure and closes it, three times. */
#include <dlfcn.h>
#include <stdio.h>

int main(void)
{
    for (int round = 0; round < 3; round++) {
        void *plugin = dlopen("./plugin.so", RTLD_NOW);
        if (plugin == NULL) {
            fprintf(stderr, "%s\n", dlerror());
            return 1;
        }
        void (*measure)(void);
        *(void **)&measure = dlsym(plugin, "measure");
        measure();
        dlclose(plugin);
    }
    return 0;
}
