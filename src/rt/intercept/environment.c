/* The environment. It is one object for all threads: who changes it must be ordered with all who
 * look. */
#include "rt/intercept/table.h"

#include <stdlib.h>
#include <unistd.h>

extern char **environ;

ROW(char *, getenv, (char const *name), (name), READS_STRING(name) READS(&environ), )
ROW(char *, secure_getenv, (char const *name), (name), READS_STRING(name) READS(&environ), )
ROW(int, setenv, (char const *name, char const *value, int replace), (name, value, replace),
    READS_STRING(name) READS_STRING(value) WRITES(&environ), )
ROW(int, unsetenv, (char const *name), (name), READS_STRING(name) WRITES(&environ), )
ROW(int, putenv, (char *setting), (setting), READS_STRING(setting) WRITES(&environ), )
ROW(int, clearenv, (void), (), WRITES(&environ), )
