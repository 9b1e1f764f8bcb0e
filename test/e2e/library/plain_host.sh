#!/bin/sh
# A plugin built with -shared-libdeadheat, in a program that was not built with deadheat: with the runtime loaded
# first it is checked; without, it runs as it is and says so.
. "$(dirname "$0")/../input/lib.sh"

sed 's/int main(void)/int run(void)/' race.c >plugin_race.c
sed 's/int main(void)/int run(void)/' norace.c >plugin_norace.c
cat >plain.c <<'END2'
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv) {
    void *plugin = dlopen(argv[argc - 1], RTLD_NOW);
    if (!plugin) return puts(dlerror()), 1;
    int failed = ((int (*)(void))dlsym(plugin, "run"))();
    return failed ? failed : dlclose(plugin);
}
END2
"$clang" -O1 plain.c -o plain || exit 1
for kind in race norace; do
    deadheat cc -O1 -pthread -fPIC -shared -shared-libdeadheat plugin_$kind.c -o $kind.so || exit 1
done
run '' ./plain ./race.so
expect "without the runtime loaded first" 0 '!WARNING'
ran "without the runtime loaded first"
once "without the runtime loaded first" '^deadheat: .*nothing is checked; run it with LD_PRELOAD=/.*libdeadheat\.so$'
preload=$(sed -n 's/.*LD_PRELOAD=//p' err)
run '' env LD_PRELOAD="$preload" ./plain ./race.so
expect "a plugin with a race" 66 "global 'shared'" '#0 set .*plugin_race\.c' '#1 main \(plain\+' \
    'Location is global' '^deadheat: 1 race reported'
ran "a plugin with a race"
run '' env LD_PRELOAD="$preload" ./plain ./norace.so
expect "a plugin without a race" 0 '!.'
ran "a plugin without a race"
deadheat cc -O1 plain.c -o built || exit 1
run '' ./built ./race.so
expect "a plugin for plain hosts in another host, with a race" 66 '#0 set .*plugin_race\.c' '^deadheat: 1 race reported'
run '' ./built ./norace.so
expect "a plugin for plain hosts in another host" 0 '!.'
ran "a plugin for plain hosts in another host"
run enabled=0 ./plain ./race.so
expect "a plugin with checking off" 0 '!.'
ran "a plugin with checking off"
finish
