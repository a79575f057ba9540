/* file.c: creating files under another name, and writing them. */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "fail.h"

#ifndef O_CLOEXEC
#define O_CLOEXEC 0
#endif

static char *new_name(const char *path)
{
    size_t capacity = strlen(path) + sizeof ".new";
    char *name = cll_allocate(capacity, 1, "the name of a file");
    snprintf(name, capacity, "%s.new", path);
    return name;
}

static int create_new(const char *path, int may_replace)
{
    int file;
    char *name = new_name(path);
    if (may_replace) {
        unlink(name);
    }
    do {
        file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (file < 0 && errno == EINTR);
    int reason = errno;
    free(name);
    errno = reason;
    return file;
}

int cll_file_create(const char *path)
{
    struct stat status;
    if (lstat(path, &status) == 0) {
        errno = EEXIST;
        return -1;
    }
    return create_new(path, 0);
}

int cll_file_create_replacement(const char *path)
{
    return create_new(path, 1);
}

int cll_file_replace(const char *path)
{
    char *name = new_name(path);
    int status = rename(name, path);
    int reason = errno;
    if (status != 0) {
        unlink(name);
    }
    free(name);
    errno = reason;
    return status;
}

/* Unlike rename, link never replaces a file; some file systems do not have it. */
int cll_file_publish(const char *path, const char *as)
{
    struct stat other;
    char *name = new_name(path);
    int status = link(name, as);
    if (status == 0) {
        unlink(name);
    } else if (errno != EEXIST && lstat(as, &other) == 0) {
        errno = EEXIST;
    } else if (errno != EEXIST) {
        status = rename(name, as);
    }
    int reason = errno;
    free(name);
    errno = reason;
    return status;
}

void cll_file_discard(const char *path)
{
    char *name = new_name(path);
    unlink(name);
    free(name);
}

static ssize_t write_part(int file, const void *bytes, size_t count)
{
    static const struct timespec at_once = {0, 0};
    sigset_t size_signal;
    sigset_t before;
    sigemptyset(&size_signal);
    sigaddset(&size_signal, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &size_signal, &before);
    ssize_t written = write(file, bytes, count);
    int reason = errno;
    if (written < 0 && reason == EFBIG) {
        sigtimedwait(&size_signal, NULL, &at_once);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = reason;
    return written;
}

int cll_file_write(int file, const void *bytes, size_t count)
{
    size_t written = 0;
    while (written < count) {
        ssize_t part = write_part(file, (const unsigned char *)bytes + written, count - written);
        if (part > 0) {
            written += (size_t)part;
        } else if (part == 0) {
            errno = ENOSPC;
            return 0;
        } else if (errno != EINTR) {
            return 0;
        }
    }
    return 1;
}

void cll_file_make_folders(const char *folder)
{
    char *path = cll_allocate(strlen(folder) + 1, 1, "the name of a folder");
    strcpy(path, folder);
    for (char *at = path + 1; path[0] != '\0' && *at != '\0'; at++) {
        if (*at == '/') {
            *at = '\0';
            mkdir(path, 0777);
            *at = '/';
        }
    }
    mkdir(folder, 0777);
    free(path);
}
