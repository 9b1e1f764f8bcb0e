/* Searches SIZE kilobytes of shared text for a list of words: Horspool's algorithm with a table of skips
 * a word, which all threads read; and memchr and strncmp beside it, because real searches call libc. Each
 * thread has a part of the text.
 *
 * Planted: the tables are made by whoever comes first, without pthread_once. */
#include "kernel.h"

enum { WORDS = 16, LONGEST = 8, LETTERS = 256 };
struct skips {
    int length, skip[LETTERS];
};
static char *text;
static long length;
static char words[WORDS][LONGEST + 1];
static struct skips *table;
static long found[KERNEL_THREADS];

static struct skips *make_table(void) {
    struct skips *all = kernel_memory(WORDS * sizeof *all);
    for (int w = 0; w < WORDS; w++) {
        int n = all[w].length = (int)strlen(words[w]);
        for (int i = 0; i < LETTERS; i++)
            all[w].skip[i] = n;
        for (int i = 0; i < n - 1; i++)
            all[w].skip[(unsigned char)words[w][i]] = n - 1 - i;
    }
    return all;
}

#ifdef RACY
static struct skips const *tables(void) {
    if (!table) table = make_table(); /* planted */
    return table;
}
#else
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void set_table(void) { table = make_table(); }
static struct skips const *tables(void) {
    pthread_once(&once, set_table);
    return table;
}
#endif

static long search(char const *word, struct skips const *s, long from, long to) {
    long hits = 0;
    for (long i = from; i < to && i + s->length <= length;) {
        int j = s->length - 1;
        while (j >= 0 && text[i + j] == word[j])
            j--;
        hits += j < 0;
        i += s->skip[(unsigned char)text[i + s->length - 1]];
    }
    return hits;
}

static long search_libc(char const *word, long from, long to) {
    long hits = 0;
    size_t n = strlen(word);
    for (char const *p = text + from, *end = text + to; p < end; p++) {
        p = memchr(p, word[0], (size_t)(end - p));
        if (!p) break;
        hits += strncmp(p, word, n) == 0;
    }
    return hits;
}

static void *work(void *argument) {
    int me = (int)(intptr_t)argument;
    struct skips const *all = tables();
    long from = kernel_share(length, me), to = kernel_share(length, me + 1), hits = 0;
    for (long n = 0; n < rounds; n++)
        for (int w = 0; w < WORDS; w++)
            hits +=
                w % 4 == 0 ? search_libc(words[w], from, to) : search(words[w], &all[w], from, to);
    found[me] = hits;
    return NULL;
}

int main(int argc, char **argv) {
    kernel_arguments(argc, argv, 4);
    length = size * 1024;
    text = kernel_memory((size_t)length + 1);
    uint64_t seed = 11;
    for (long i = 0; i < length; i++) /* eight letters, so that short words occur */
        text[i] = "etaoin s"[kernel_random(&seed) % 8];
    for (int w = 0; w < WORDS; w++)
        for (int i = 0; i < 3 + w % (LONGEST - 2); i++)
            words[w][i] = "etaoins"[kernel_random(&seed) % 7];
    kernel_run(work);
    long hits = 0;
    for (int t = 0; t < threads; t++)
        hits += found[t];
    return kernel_print("strsearch", (uint64_t)hits);
}
