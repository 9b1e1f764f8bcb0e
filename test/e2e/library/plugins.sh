#!/bin/sh
# Plugins built with deadheat, in a host built with deadheat: another library at the address of one that was
# unloaded has no history, in its data as in its thread-local variables; and stacks from before lead to the
# library that was there then.
. "$(dirname "$0")/../input/lib.sh"

# Two libraries of the same layout, with functions of other names.
cat >plugin.c <<'END2'
#include <string.h>
int data = 1, bss[2000];
#ifdef STATIC_TLS
__attribute__((tls_model("initial-exec")))
#endif
_Thread_local int own[4];
int *ours(void) { return own; }
void touch(void) { own[1]++; }
__attribute__((noinline)) static void FUNCTION(int *p) { ++*p; }
void use(int *p) {
    FUNCTION(p);
    data++;
    memset(bss, 1, sizeof bss);
    own[1]++;
}
END2
deadheat cc -O1 -fPIC -shared plugin.c -DFUNCTION=one -o one.so || exit 1
deadheat cc -O1 -fPIC -shared plugin.c -DFUNCTION=two -o two.so || exit 1
deadheat cc -O1 -fPIC -shared plugin.c -DFUNCTION=one -DSTATIC_TLS -o one_static.so || exit 1
deadheat cc -O1 -fPIC -shared plugin.c -DFUNCTION=two -DSTATIC_TLS -o two_static.so || exit 1

# T1 uses the first library, T2 the second. T1 is ordered before the unloading (unless `unordered` is among the
# arguments), and T2 is ordered after nothing. With `same` both increment one int.
cat >host.c <<'END2'
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void __tsan_testonly_barrier_init(unsigned volatile *barrier, unsigned count);
void __tsan_testonly_barrier_wait(unsigned volatile *barrier);
static unsigned volatile barrier;
static void step(void) { __tsan_testonly_barrier_wait(&barrier); }

int shared, apart[2];
static int same, unordered;
static sem_t used;
static int *of_first;
static void *handle;
static void (*use)(int *), (*touch)(void);
static int *(*ours)(void);

__attribute__((no_sanitize("thread"))) static void open_it(char const *path) {
    handle = dlopen(path, RTLD_NOW);
    if (!handle) {
        puts(dlerror());
        exit(1);
    }
    use = (void (*)(int *))dlsym(handle, "use");
    touch = (void (*)(void))dlsym(handle, "touch");
    ours = (int *(*)(void))dlsym(handle, "ours");
}
__attribute__((no_sanitize("thread"))) static void use_it(int *p) { use(p); }
__attribute__((no_sanitize("thread"))) static void touch_it(void) { touch(); }
__attribute__((no_sanitize("thread"))) static void *used_it(void) { return (void *)use; }

static void *first(void *unused) {
    use_it(same ? &shared : &apart[0]);
    of_first = ours();
    if (!unordered) sem_post(&used);
    step();
    step();
    touch_it();
    step();
    return unused;
}
static void *second(void *unused) {
    step();
    step();
    use_it(same ? &shared : &apart[1]);
    step();
    return unused;
}
int main(int argc, char **argv) {
    for (int i = 3; i < argc; i++) {
        same |= !strcmp(argv[i], "same");
        unordered |= !strcmp(argv[i], "unordered");
    }
    sem_init(&used, 0, 0);
    open_it(argv[1]);
    void *was = used_it();
    __tsan_testonly_barrier_init(&barrier, 3);
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    if (!unordered) sem_wait(&used);
    step();
    if (!unordered) of_first[1]++; /* T1's variable, in main's hands */
    dlclose(handle);
    if (dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD)) puts("it was not unloaded");
    open_it(argv[2]);
    if (used_it() != was) puts("another address");
    step();
    step();
    pthread_join(a, 0);
    pthread_join(b, 0);
    puts("done");
    return 0;
}
END2
deadheat cc -O1 -pthread host.c -o host || exit 1

# at_one_place WHAT: the last run has tested what it is about.
at_one_place() {
    ran "$1"
    grep -q 'another address\|not unloaded' out && fail "$1: the libraries were not at one address" "$(show)"
}
for kind in '' _static; do
    run '' ./host ./one$kind.so ./two$kind.so
    expect "another library at the same address$kind" 0 '!.'
    at_one_place "another library at the same address$kind"
    run '' ./host ./one$kind.so ./one$kind.so
    expect "the same library again$kind" 0 '!.'
    at_one_place "the same library again$kind"
done
run '' ./host ./one.so ./two.so same
expect "code that was unloaded" 66 '#0 one .*plugin\.c:[0-9:]+ \(one\.so\+0x[0-9a-f]+\) \[unloaded\]$' \
    '#1 use .*\(one\.so\+0x[0-9a-f]+\) \[unloaded\]$' '#0 two .*\(two\.so\+0x[0-9a-f]+\)$' \
    "global 'shared'" '^deadheat: 1 race reported'
at_one_place "code that was unloaded"
run log_path=log ./host ./one.so ./two.so same
grep -q '"unloaded":true' log.* || fail "JSON says what was unloaded" "$(cat log.*)"

# The file was replaced meanwhile: better no name than a wrong one.
cp one.so changing.so
sed 's|    open_it(argv\[2\]);|    if (system("cp two.so changing.new \&\& mv changing.new changing.so")) return 1;\n&|' host.c >replaced.c
deadheat cc -O1 -pthread replaced.c -o replaced || exit 1
run '' ./replaced ./changing.so ./changing.so same
expect "a library that was replaced" 66 '#0 \(changing\.so\+0x[0-9a-f]+\) \[unloaded\]$' \
    '#0 two .*\(changing\.so\+0x[0-9a-f]+\)$' '!#0 one'
at_one_place "a library that was replaced"

# dlclose ends the library's data, as munmap would.
run '' ./host ./one.so ./two.so unordered
expect "unloaded in use" 66 'Free of size [0-9]+ at .* by main thread' '#0 main .*host\.c' \
    'use .*\(one\.so\+0x[0-9a-f]+\)$' "global 'data'"
finish
