#!/bin/sh
# What dlopen and dlclose order: whoever finds a library open comes after its constructor, whoever unloads it after
# all who have closed it; nothing else. And standing before them changes nothing: where a library is looked for, what
# dlerror says.
. "$(dirname "$0")/../input/lib.sh"

cat >plugin.c <<'END2'
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int table[100], count;
int data;
__attribute__((constructor)) static void fill(void) {
    for (int i = 0; i < 100; i++) table[i] = i;
}
__attribute__((destructor)) static void empty(void) {
    for (int i = 0; i < 100; i++) table[i] -= count > 0;
}
int work(int i) {
    pthread_mutex_lock(&mutex);
    count++;
    pthread_mutex_unlock(&mutex);
    return table[i];
}
void change(int value) { data = value; }
END2
deadheat cc -O1 -pthread -fPIC -shared plugin.c -o plugin.so || exit 1

# program NAME BODY...: static functions, of which first and second are run by two threads, in as many rounds as the
# second argument of the program says. step() is a barrier that orders nothing.
program() {
    name=$1
    shift
    {
        cat <<'END2'
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
void __tsan_testonly_barrier_init(unsigned volatile *barrier, unsigned count);
void __tsan_testonly_barrier_wait(unsigned volatile *barrier);
static unsigned volatile barrier;
__attribute__((unused)) static void step(void) { __tsan_testonly_barrier_wait(&barrier); }
static char const *path;
static void *open_it(void) {
    void *library = dlopen(path, RTLD_NOW);
    if (!library) {
        puts(dlerror());
        exit(1);
    }
    return library;
}
__attribute__((unused)) static void work(void *library) {
    if (((int (*)(int))dlsym(library, "work"))(7) != 7) puts("wrong");
}
__attribute__((unused)) static void change(void *library) { ((void (*)(int))dlsym(library, "change"))(1); }
/* Between threads, without order. */
static void *handed;
__attribute__((no_sanitize("thread"), unused)) static void hand(void *library) { handed = library; }
__attribute__((no_sanitize("thread"), unused)) static void *take(void) { return handed; }
END2
        printf '%s\n' "$@"
        cat <<'END2'
int main(int argc, char **argv) {
    path = argv[1];
    for (int n = argc > 2 ? atoi(argv[2]) : 1; n; n--) {
        __tsan_testonly_barrier_init(&barrier, 2);
        pthread_t a, b;
        pthread_create(&a, 0, first, 0);
        pthread_create(&b, 0, second, 0);
        pthread_join(a, 0);
        pthread_join(b, 0);
    }
    puts("done");
    return 0;
}
END2
    } >"$name.c"
    deadheat cc -O1 -pthread "$name.c" -o "$name" || exit 1
}
second='static void *second(void *unused) { return first(unused); }'

# ---- constructors ----

program open_norace 'static void *first(void *unused) {
    void *library = open_it();
    work(library);
    step();
    dlclose(library);
    return unused;
}' "$second"
run '' ./open_norace ./plugin.so 100
expect "a constructor, and who finds the library open" 0 '!.'
ran "a constructor, and who finds the library open"

program constructor_race 'static void *first(void *unused) {
    hand(open_it());
    step();
    return unused;
}
static void *second(void *unused) {
    step();
    work(take());
    return unused;
}'
run '' ./constructor_race ./plugin.so
expect "a constructor, and who did not open the library" 66 '#0 fill ' '#0 work .*plugin\.c' '^deadheat: 1 race reported'

program data_race 'static void *first(void *unused) {
    change(open_it());
    step();
    step();
    return unused;
}
static void *second(void *unused) {
    step();
    change(open_it());
    step();
    return unused;
}'
run '' ./data_race ./plugin.so
expect "after both have opened the library" 66 '#0 change .*plugin\.c' '^deadheat: 1 race reported'

program closed_race 'static void *first(void *unused) {
    void *library = open_it();
    open_it();
    change(library);
    dlclose(library);
    step();
    return unused;
}
static void *second(void *unused) {
    step();
    change(open_it());
    return unused;
}'
run '' ./closed_race ./plugin.so
expect "one closes, not for the last time, before another opens" 66 '#0 change .*plugin\.c' \
    '^deadheat: 1 race reported'

# ---- destructors, and the end of the data ----

program close_norace 'static void *first(void *unused) {
    void *library = open_it();
    work(library);
    dlclose(library);
    return unused;
}' "$second"
run '' ./close_norace ./plugin.so 300
expect "each may be the last to close" 0 '!.'
ran "each may be the last to close"

program close_last_norace 'static void *first(void *unused) {
    void *library = open_it();
    step();
    change(library);
    dlclose(library);
    step();
    return unused;
}
static void *second(void *unused) {
    void *library = open_it();
    step();
    step();
    dlclose(library);
    if (dlopen(path, RTLD_NOW | RTLD_NOLOAD)) puts("it was not unloaded");
    return unused;
}'
run '' ./close_last_norace ./plugin.so
expect "the last to close" 0 '!.'
ran "the last to close"
grep -q unloaded out && fail "the last to close" "$(show)"

program close_race 'static void *first(void *unused) {
    void *library = open_it();
    step();
    dlclose(library);
    change(library);
    step();
    return unused;
}
static void *second(void *unused) {
    void *library = open_it();
    step();
    step();
    dlclose(library);
    return unused;
}'
run '' ./close_race ./plugin.so
expect "used after it was closed" 66 'Free of size [0-9]+ at .* by thread T2' '#0 second .*close_race\.c' \
    '#0 change .*plugin\.c' '^deadheat: 1 race reported'

# A library ends with a call of __cxa_finalize(), by the compiler's start files, before it is unmapped. Another thread
# gets the memory as soon as it is unmapped.
program mapping_norace 'static void *first(void *unused) {
    for (int i = 0; i < 300; i++) {
        void *library = open_it();
        work(library);
        dlclose(library);
    }
    return unused;
}
static void *second(void *unused) {
    for (int i = 0; i < 3000; i++) {
        size_t size = 4096 * (size_t)(1 + i % 6);
        char *p = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        p[0] = p[size - 1] = 1;
        munmap(p, size);
    }
    return unused;
}'
run '' ./mapping_norace ./plugin.so
expect "a mapping where a library was" 0 '!.'
ran "a mapping where a library was"

# ---- where libraries are looked for, and what went wrong ----

mkdir apart beside
cp plugin.so apart/looked_for.so
cp plugin.so apart/not_for_us.so
cp plugin.so beside/origin.so
cat >finder.c <<'END2'
#include <dlfcn.h>
int find(char const *name, void **library) { return (*library = dlopen(name, RTLD_NOW)) != 0; }
END2
deadheat cc -O1 -fPIC -shared finder.c -Wl,-rpath,"$work/apart",--enable-new-dtags -o beside/finder.so || exit 1
program finder_norace 'static void *first(void *unused) {
    void *finder = open_it();
    int (*find)(char const *, void **) = (int (*)(char const *, void **))dlsym(finder, "find");
    void *a, *b;
    if (!find("looked_for.so", &a) || !find("$ORIGIN/origin.so", &b)) {
        puts(dlerror());
        exit(1);
    }
    work(a);
    work(b);
    step();
    dlclose(a);
    dlclose(b);
    if (dlopen("not_for_us.so", RTLD_NOW)) puts("found from the program");
    char const *said = dlerror();
    puts(said ? said : "no error");
    return unused;
}' "$second"
run '' ./finder_norace beside/finder.so 20
expect "a library that opens one that only it can find" 0 '!.'
ran "a library that opens one that only it can find"
[ "$(sort out | uniq -c | tr -s ' ')" = " 1 done
 40 not_for_us.so: cannot open shared object file: No such file or directory" ] ||
    fail "where libraries are looked for" "$(show)"

cat >twice.c <<'END2'
#include <dlfcn.h>
#include <stdio.h>
int main(void) {
    void *libc = dlopen("libc.so.6", RTLD_NOW);
    if (!libc || dlclose(libc) || dlerror()) puts("wrong");
    if (!dlclose(libc)) puts("wrong");
    char const *said = dlerror();
    puts(said ? said : "no error");
    return 0;
}
END2
"$clang" twice.c -o plain && deadheat cc twice.c -o twice || exit 1
./plain >wanted
run '' ./twice
expect "what dlclose says when it fails" 0 '!.'
sed 's/^[^:]*: //' wanted >wanted.text
sed 's/^[^:]*: //' out | cmp -s - wanted.text || fail "what dlclose says when it fails" "$(show)"
finish
