/* Two threads look at the same few bytes of words again and again, as a search does: the bytes of each word
 * have both as their readers, on some bytes and not on others. Then the first thread ends its epoch, in a way
 * that the second knows of, and looks once more, at one byte of each word. */
#include "test.h"

enum { WORDS = 24, LENGTH = 8, LOOKS = 5, LATER = 2 };

_Alignas(8) char volatile words[WORDS][LENGTH];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The words differ in which bytes are looked at; LATER is one of them in each. */
static int is_looked_at(int word, int byte) { return byte == LATER || (word + byte) % 3 == 0; }

static void look(void) {
    for (int i = 0; i < LOOKS; i++)
        for (int word = 0; word < WORDS; word++)
            for (int byte = 0; byte < LENGTH; byte++)
                if (is_looked_at(word, byte)) CHECK(words[word][byte] == 0);
}

static void end_epoch(void) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
}

static void *first(void *unused) {
    look();
    step();
    end_epoch();
    for (int word = 0; word < WORDS; word++)
        CHECK(words[word][LATER] == 0);
    step();
    return unused;
}
