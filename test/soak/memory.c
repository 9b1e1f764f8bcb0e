/* Activities that take and give back memory, in blocks of all sizes, alone and from thread to thread. */
#define _GNU_SOURCE
#include "soak.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

void soak_blocks(struct dice *dice) {
    enum { COUNT = 8 };
    char *blocks[COUNT] = {0};
    for (int i = 0; i < 40; i++) {
        size_t at = soak_roll(dice, COUNT),
               size = 1 + soak_roll(dice, soak_roll(dice, 10) ? 300 : 200000);
        void *aligned;
        switch (soak_roll(dice, 4)) {
        case 0: blocks[at] = realloc(blocks[at], size); break;
        case 1:
            free(blocks[at]);
            blocks[at] = posix_memalign(&aligned, 64, size) == 0 ? aligned : NULL;
            break;
        default: free(blocks[at]); blocks[at] = calloc(1, size);
        }
        soak_check(blocks[at] != NULL, "memory");
        memset(blocks[at], i, size);
        soak_check(blocks[at][size - 1] == i, "what was written to a block");
    }
    for (int i = 0; i < COUNT; i++)
        free(blocks[i]);
}

/* A shelf of blocks: each is taken down, changed, and put back or thrown away, by anybody. */
void soak_handover(struct dice *dice) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct box {
        size_t size;
        char *bytes;
    } shelf[16];
    size_t at = soak_roll(dice, sizeof shelf / sizeof *shelf);
    pthread_mutex_lock(&lock);
    struct box box = shelf[at];
    shelf[at] = (struct box){0};
    pthread_mutex_unlock(&lock);
    if (box.bytes && soak_roll(dice, 3) == 0) {
        free(box.bytes);
        return;
    }
    if (!box.bytes) {
        box.size = 1 + soak_roll(dice, 5000);
        box.bytes = malloc(box.size);
    }
    memset(box.bytes, (int)soak_roll(dice, 256), box.size);
    pthread_mutex_lock(&lock);
    struct box other = shelf[at];
    shelf[at] = box;
    pthread_mutex_unlock(&lock);
    free(other.bytes);
}

/* Large pieces of the address space, of which little is touched. */
void soak_mapping(struct dice *dice) {
    size_t page = 4096, size = page * (1 + soak_roll(dice, soak_roll(dice, 8) ? 64 : 4096));
    char *piece = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    soak_check(piece != MAP_FAILED, "mmap");
    for (int i = 0; i < 50; i++)
        piece[soak_roll(dice, size)] = 1;
    piece[size - 1] = 7;
    switch (soak_roll(dice, 4)) {
    case 0:
        piece = mremap(piece, size, 2 * size, MREMAP_MAYMOVE);
        soak_check(piece != MAP_FAILED && piece[size - 1] == 7, "mremap");
        size *= 2;
        break;
    case 1:
        madvise(piece, size, MADV_DONTNEED);
        soak_check(piece[size - 1] == 0, "madvise");
        break;
    case 2: memset(piece, 3, size < 300000 ? size : 300000); break;
    default:;
    }
    munmap(piece, size);
}

static void destroy(void *value) { free(value); }

void soak_keys(struct dice *dice) {
    pthread_key_t key;
    if (pthread_key_create(&key, destroy) != 0) return; /* there are only so many */
    int *own = malloc(sizeof *own);
    *own = (int)soak_roll(dice, 100);
    pthread_setspecific(key, own);
    soak_check(pthread_getspecific(key) == own, "a thread's own value");
    free(own);
    pthread_setspecific(key, NULL);
    pthread_key_delete(key);
}
