/* Records what a server writes to its database, what it has made durable, and what it says to its players, in order.
 * Loaded into the server by the test of power failures (power.rs). Each record: kind, file, offset, length, bytes. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { WRITE = 1, SYNC = 2, CUT = 3, SAID = 4 };
static const char ANSWER[] = "\"type\":\"accepted\"";

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int log_fd = -2;
static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_writev)(int, const struct iovec *, int);
static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static ssize_t (*real_pwrite64)(int, const void *, size_t, off64_t);
static ssize_t (*real_send)(int, const void *, size_t, int);
static ssize_t (*real_sendto)(int, const void *, size_t, int, const struct sockaddr *, socklen_t);
static ssize_t (*real_sendmsg)(int, const struct msghdr *, int);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static int (*real_ftruncate)(int, off_t);
static int (*real_ftruncate64)(int, off64_t);

static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

__attribute__((constructor)) static void start(void) {
    real_write = real("write");
    real_writev = real("writev");
    real_pwrite = real("pwrite");
    real_pwrite64 = real("pwrite64");
    real_send = real("send");
    real_sendto = real("sendto");
    real_sendmsg = real("sendmsg");
    real_fsync = real("fsync");
    real_fdatasync = real("fdatasync");
    real_ftruncate = real("ftruncate");
    real_ftruncate64 = real("ftruncate64");
    const char *path = getenv("FUSHI_POWER_LOG");
    log_fd = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
}

/* 0: the database, 1: its write-ahead log, -1: anything else. */
static int file_of(int fd) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, sizeof path - 1);
    if (n <= 0) return -1;
    path[n] = 0;
    const char *end = path + n;
    if (n > 7 && !strcmp(end - 7, ".sqlite")) return 0;
    if (n > 11 && !strcmp(end - 11, ".sqlite-wal")) return 1;
    return -1;
}

static void put(const void *bytes, size_t length) {
    const char *at = bytes;
    while (length > 0) {
        ssize_t n = real_write(log_fd, at, length);
        if (n <= 0) abort();
        at += n;
        length -= (size_t)n;
    }
}

static void record(uint64_t kind, uint64_t file, uint64_t offset, const void *bytes, uint64_t length) {
    uint64_t head[4] = {kind, file, offset, length};
    put(head, sizeof head);
    if (length > 0) put(bytes, length);
}

static void said(const void *bytes, size_t length) {
    if (log_fd < 0 || !memmem(bytes, length, ANSWER, sizeof ANSWER - 1)) return;
    pthread_mutex_lock(&lock);
    record(SAID, 0, 0, bytes, length);
    pthread_mutex_unlock(&lock);
}

static void said_all(const struct iovec *parts, size_t count) {
    size_t length = 0;
    for (size_t i = 0; i < count; i++) length += parts[i].iov_len;
    char *whole = malloc(length ? length : 1);
    if (!whole) abort();
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        memcpy(whole + at, parts[i].iov_base, parts[i].iov_len);
        at += parts[i].iov_len;
    }
    said(whole, length);
    free(whole);
}

ssize_t write(int fd, const void *bytes, size_t length) {
    int file = log_fd >= 0 ? file_of(fd) : -1;
    if (file < 0) {
        said(bytes, length);
        return real_write(fd, bytes, length);
    }
    pthread_mutex_lock(&lock);
    off_t at = lseek(fd, 0, SEEK_CUR);
    ssize_t n = real_write(fd, bytes, length);
    if (n > 0) record(WRITE, (uint64_t)file, (uint64_t)at, bytes, (uint64_t)n);
    pthread_mutex_unlock(&lock);
    return n;
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t at) {
    int file = log_fd >= 0 ? file_of(fd) : -1;
    if (file < 0) return real_pwrite64(fd, bytes, length, at);
    pthread_mutex_lock(&lock);
    ssize_t n = real_pwrite64(fd, bytes, length, at);
    if (n > 0) record(WRITE, (uint64_t)file, (uint64_t)at, bytes, (uint64_t)n);
    pthread_mutex_unlock(&lock);
    return n;
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t at) { return pwrite64(fd, bytes, length, at); }

ssize_t writev(int fd, const struct iovec *parts, int count) {
    if (log_fd >= 0 && file_of(fd) >= 0) abort(); /* the database does not write so */
    if (count > 0) said_all(parts, (size_t)count);
    return real_writev(fd, parts, count);
}

ssize_t send(int fd, const void *bytes, size_t length, int flags) {
    said(bytes, length);
    return real_send(fd, bytes, length, flags);
}

ssize_t sendto(int fd, const void *bytes, size_t length, int flags, const struct sockaddr *to, socklen_t size) {
    said(bytes, length);
    return real_sendto(fd, bytes, length, flags, to, size);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
    said_all(message->msg_iov, message->msg_iovlen);
    return real_sendmsg(fd, message, flags);
}

static int synced(int fd, int (*call)(int)) {
    int file = log_fd >= 0 ? file_of(fd) : -1;
    if (file < 0) return call(fd);
    pthread_mutex_lock(&lock);
    int result = call(fd);
    if (result == 0) record(SYNC, (uint64_t)file, 0, 0, 0);
    pthread_mutex_unlock(&lock);
    return result;
}

int fsync(int fd) { return synced(fd, real_fsync); }
int fdatasync(int fd) { return synced(fd, real_fdatasync); }

int ftruncate64(int fd, off64_t length) {
    int file = log_fd >= 0 ? file_of(fd) : -1;
    if (file < 0) return real_ftruncate64(fd, length);
    pthread_mutex_lock(&lock);
    int result = real_ftruncate64(fd, length);
    if (result == 0) record(CUT, (uint64_t)file, (uint64_t)length, 0, 0);
    pthread_mutex_unlock(&lock);
    return result;
}

int ftruncate(int fd, off_t length) { return ftruncate64(fd, length); }
