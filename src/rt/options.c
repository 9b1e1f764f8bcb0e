#include "rt/options.h"
#include "rt/base.h"

struct dh_options dh_options = {
#define DH_OPTION(name, kind, initial, help) .name = initial,
#include "rt/options.def"
#undef DH_OPTION
};

enum kind { INT, BOOL, TEXT };

static struct option {
    char const *name;
    enum kind kind;
    void *value;
    char const *help;
} const table[] = {
#define DH_OPTION(name, kind, initial, help) {#name, kind, &dh_options.name, help},
#include "rt/options.def"
#undef DH_OPTION
};
enum { OPTIONS = sizeof table / sizeof table[0], TEXT_MAX = 4096 };

/* Values of TEXT options: the environment may change under us. */
static char kept[TEXT_MAX];
static size_t kept_used;

/* Edit distance, for "did you mean". Names longer than the table's are no typing mistakes. */
static unsigned distance(char const *a, size_t n, char const *b) {
    enum { MAX = 40 };
    unsigned row[MAX + 1];
    size_t m = dh_length(b);
    if (n > MAX || m > MAX) return MAX;
    for (unsigned j = 0; j <= m; j++)
        row[j] = j;
    for (unsigned i = 1; i <= n; i++) {
        unsigned diagonal = row[0];
        row[0] = i;
        for (unsigned j = 1; j <= m; j++) {
            unsigned swap = diagonal + (a[i - 1] != b[j - 1]);
            unsigned best = row[j] < row[j - 1] ? row[j] + 1 : row[j - 1] + 1;
            diagonal = row[j];
            row[j] = best < swap ? best : swap;
        }
    }
    return row[m];
}

static struct option const *find(char const *name, size_t length) {
    struct option const *nearest = table;
    unsigned least = UINT32_MAX;
    for (unsigned i = 0; i < OPTIONS; i++) {
        unsigned d = distance(name, length, table[i].name);
        if (d == 0) return &table[i];
        if (d < least) {
            least = d;
            nearest = &table[i];
        }
    }
    dh_die("DEADHEAT_OPTIONS: there is no option '%.*s'; did you mean '%s'? "
           "DEADHEAT_OPTIONS=help=1 lists them all.",
           (int)length, name, nearest->name);
}

static bool text_is(char const *value, size_t length, char const *word) {
    return length == dh_length(word) && dh_compare(value, word, length) == 0;
}

static void set(struct option const *o, char const *value, size_t length) {
    if (o->kind == TEXT) {
        if (kept_used + length + 1 > sizeof kept)
            dh_die("DEADHEAT_OPTIONS: longer than %d characters", TEXT_MAX);
        char *copy = kept + kept_used;
        dh_copy(copy, value, length);
        copy[length] = 0;
        kept_used += length + 1;
        *(char const **)o->value = copy;
    } else if (o->kind == BOOL) {
        bool yes = text_is(value, length, "1") || text_is(value, length, "true")
                   || text_is(value, length, "yes");
        bool no = text_is(value, length, "0") || text_is(value, length, "false")
                  || text_is(value, length, "no");
        if (!yes && !no)
            dh_die("DEADHEAT_OPTIONS: %s wants 0 or 1, not '%.*s'", o->name, (int)length, value);
        *(bool *)o->value = yes;
    } else {
        int number = 0;
        bool good = length > 0 && length < 10;
        for (size_t i = 0; good && i < length; i++) {
            good = value[i] >= '0' && value[i] <= '9';
            number = number * 10 + (value[i] - '0');
        }
        if (!good)
            dh_die("DEADHEAT_OPTIONS: %s wants a number, not '%.*s'", o->name, (int)length, value);
        *(int *)o->value = number;
    }
}

void dh_options_parse(char const *text) {
    char const *p = text;
    while (*p) {
        if (*p == ':' || *p == ' ') {
            p++;
            continue;
        }
        char const *name = p;
        while (*p && *p != '=' && *p != ':' && *p != ' ')
            p++;
        size_t name_length = (size_t)(p - name);
        if (text_is(name, name_length, "help")) {
            dh_options_help();
            p += *p == '=' ? 2 : 0;
            continue;
        }
        struct option const *o = find(name, name_length);
        if (*p != '=') dh_die("DEADHEAT_OPTIONS: %s wants a value: %s=...", o->name, o->name);
        char const *value = ++p;
        while (*p && *p != ':' && *p != ' ')
            p++;
        set(o, value, (size_t)(p - value));
    }
    if (dh_options.exitcode > 255) dh_die("DEADHEAT_OPTIONS: exitcode wants 0 to 255");
    if (dh_options.history_size > 7) dh_die("DEADHEAT_OPTIONS: history_size wants 0 to 7");
    if (dh_options.io_sync > 2) dh_die("DEADHEAT_OPTIONS: io_sync wants 0 to 2");
    char const *c = dh_options.color;
    if (!dh_same_text(c, "auto") && !dh_same_text(c, "always") && !dh_same_text(c, "never"))
        dh_die("DEADHEAT_OPTIONS: color wants auto, always or never, not '%s'", c);
}

void dh_options_help(void) {
    dh_message("options (DEADHEAT_OPTIONS=name=value:name=value)");
    for (unsigned i = 0; i < OPTIONS; i++)
        dh_message("  %-26s %s", table[i].name, table[i].help);
}
