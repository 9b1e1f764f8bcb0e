#include "rt/errors.h"

#include <errno.h>

char const *dh_error_text(int error) {
    switch (error) {
    case EACCES: return "permission denied";
    case EAGAIN: return "too many processes";
    case ECHILD: return "it could not be started";
    case EISDIR: return "is a directory";
    case ELOOP: return "too many symbolic links";
    case EMFILE: return "too many open files";
    case ENAMETOOLONG: return "the name is too long";
    case ENFILE: return "too many open files in the system";
    case ENOENT: return "no such file or directory";
    case ENOEXEC: return "not an executable file";
    case ENOMEM: return "out of memory";
    case ENOSPC: return "no space left";
    case ENOTDIR: return "not a directory";
    case EPERM: return "not permitted";
    case EPIPE:
    case ECONNRESET: return "it ended";
    case EPROTO: return "unexpected answer";
    case EROFS: return "read-only file system";
    case ETIME: return "no answer in time";
    default: return "system error";
    }
}
