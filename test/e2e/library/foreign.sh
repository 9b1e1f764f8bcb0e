#!/bin/sh
# Libraries that were not built with deadheat: their calls of libc are seen, with what they access and what they
# order; their own accesses are not; a report whose stack leads through one says so.
. "$(dirname "$0")/../input/lib.sh"

cat >library.c <<'END2'
#include <pthread.h>
#include <string.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int counted;
void library_call(void (*f)(void *), void *p) { f(p); counted++; }
void library_lock(void) { pthread_mutex_lock(&mutex); }
void library_unlock(void) { pthread_mutex_unlock(&mutex); }
void library_clear(void *p, size_t size) { memset(p, 0, size); }
END2
"$clang" -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -fPIC -shared library.c -o libforeign.so || exit 1

# program NAME BODY: what each of two threads does.
program() {
    cat >"$1.c" <<END2
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
void library_call(void (*f)(void *), void *p);
void library_lock(void);
void library_unlock(void);
void library_clear(void *p, size_t size);
int shared[4];
__attribute__((unused)) static void increment(void *p) { ++*(int *)p; }
static void *work(void *unused) { $2 return unused; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    puts("done");
    return 0;
}
END2
    deadheat cc -O1 -pthread "$1.c" -L. -lforeign -Wl,-rpath,"$work" -o "$1" || exit 1
}
program calls_back 'library_call(increment, shared);'
run log_path=log ./calls_back
expect "a stack through a foreign library" 66 '#0 increment' '#1 library_call .*\(libforeign\.so\+' '#2 work' \
    '^  The stacks pass through modules not built with deadheat: libforeign\.so\. Their own accesses are not seen' \
    '^deadheat: 1 race reported'
grep -q '"foreign":{"frame":1,"module":"[^"]*/libforeign\.so"}' log.* || fail "JSON names the foreign library" \
    "$(cat log.*)"
program in_order 'library_lock(); shared[0]++; library_unlock();'
run '' ./in_order
expect "order through a foreign library" 0 '!.'
program clears 'library_clear(shared, sizeof shared);'
run '' ./clears
expect "memory that a foreign library has libc access" 66 'Write of size 16' '#0 library_clear .*\(libforeign\.so\+' \
    '^  The stacks pass through modules not built with deadheat: libforeign\.so\.'
run '' ./race
expect "no foreign library" 66 '!not built with deadheat'

# called_from_lib: what libc does for the library is not looked at, but what it orders counts.
echo 'called_from_lib:libforeign.so' >list
run suppressions=list ./clears
expect "called_from_lib" 0 '!WARNING' '^deadheat: [0-9]+ calls not looked at by list:1: called_from_lib:libforeign\.so$'
ran "called_from_lib"
run suppressions=list:print_suppressions=0 ./clears
expect "called_from_lib, without counts" 0 '!.'
run suppressions=list ./in_order
expect "order through a library of called_from_lib" 0 '!WARNING'
run suppressions=list ./calls_back
expect "what the program does when a library of called_from_lib calls it" 66 '#0 increment'
program frees '(void)unused; library_clear(shared, 4); increment(&shared[1]);'
run suppressions=list ./frees
expect "called_from_lib is about that library" 66 '#0 increment' '!library_clear'
echo 'called_from_lib:libother' >list
run suppressions=list ./clears
expect "called_from_lib of another library" 66 '#0 library_clear'

# A library that comes by dlopen.
sed 's/void library_clear(void \*p, size_t size);/#include <dlfcn.h>\nstatic void (*library_clear)(void *, size_t);/
     s/^int main(void) {/&\n    void *library = dlopen(".\/libforeign.so", RTLD_NOW);\n    library_clear = (void (*)(void *, size_t))dlsym(library, "library_clear");/' clears.c >opens.c
deadheat cc -O1 -pthread opens.c -o opens || exit 1
echo 'called_from_lib:foreign' >list
run suppressions=list ./opens
expect "called_from_lib, loaded later" 0 '!WARNING'
run '' ./opens
expect "a foreign library loaded later" 66 '#0 library_clear'

run ignore_interceptors_accesses=1 ./clears
expect "ignore_interceptors_accesses" 0 '!.'
for program in clears opens in_order; do
    run ignore_noninstrumented_modules=1 ./$program
    expect "ignore_noninstrumented_modules: $program" 0 '!.'
done
run ignore_noninstrumented_modules=1 ./frees
expect "ignore_noninstrumented_modules is not about the program" 66 '#0 increment' '!library_clear'
finish
