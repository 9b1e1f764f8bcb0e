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
/* Known to ThreadSanitizer alone. */
static struct foreign {
    char const *name, *why;
} const foreign[] = {
#define DH_TSAN_OPTION(name, why) {#name, why},
#include "rt/options_tsan.def"
#undef DH_TSAN_OPTION
};
enum { FOREIGN = sizeof foreign / sizeof foreign[0] };

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

static bool text_is(char const *value, size_t length, char const *word) {
    return length == dh_length(word) && dh_compare(value, word, length) == 0;
}

/* Where the text is from, for messages; and whether it was written for ThreadSanitizer. */
struct source {
    char const *name;
    bool of_tsan;
};

/* Null: there is nothing to set. */
static struct option const *find(char const *name, size_t length, struct source const *source) {
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
    if (source->of_tsan) return 0;
    for (unsigned i = 0; i < FOREIGN; i++) {
        if (!text_is(name, length, foreign[i].name)) continue;
        dh_message("%s: %s has no effect: %s", source->name, foreign[i].name, foreign[i].why);
        return 0;
    }
    dh_die("%s: there is no option '%.*s'; did you mean '%s'? "
           "DEADHEAT_OPTIONS=help=1 lists them all.",
           source->name, (int)length, name, nearest->name);
}

static void set(struct option const *o, char const *value, size_t length,
                struct source const *source) {
    if (o->kind == TEXT) {
        if (kept_used + length + 1 > sizeof kept)
            dh_die("%s: longer than %d characters", source->name, TEXT_MAX);
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
            dh_die("%s: %s wants 0 or 1, not '%.*s'", source->name, o->name, (int)length, value);
        *(bool *)o->value = yes;
    } else {
        int number = 0;
        bool good = length > 0 && length < 10;
        for (size_t i = 0; good && i < length; i++) {
            good = value[i] >= '0' && value[i] <= '9';
            number = number * 10 + (value[i] - '0');
        }
        if (!good)
            dh_die("%s: %s wants a number, not '%.*s'", source->name, o->name, (int)length, value);
        *(int *)o->value = number;
    }
}

static void parse(char const *text, struct source const *source) {
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
        struct option const *o = find(name, name_length, source);
        if (o && *p != '=') dh_die("%s: %s wants a value: %s=...", source->name, o->name, o->name);
        char const *value = *p == '=' ? ++p : p;
        while (*p && *p != ':' && *p != ' ')
            p++;
        if (o) set(o, value, (size_t)(p - value), source);
    }
    if (dh_options.exitcode > 255) dh_die("%s: exitcode wants 0 to 255", source->name);
    if (dh_options.history_size > 7) dh_die("%s: history_size wants 0 to 7", source->name);
    if (dh_options.io_sync > 2) dh_die("%s: io_sync wants 0 to 2", source->name);
    char const *c = dh_options.color;
    if (!dh_same_text(c, "auto") && !dh_same_text(c, "always") && !dh_same_text(c, "never"))
        dh_die("%s: color wants auto, always or never, not '%s'", source->name, c);
}

void dh_options_parse(char const *text) {
    parse(text, &(struct source){"DEADHEAT_OPTIONS", false});
}

extern char const *deadheat_default_options(void) __attribute__((weak));
extern char const *__tsan_default_options(void) __attribute__((weak));

void dh_options_built_in(void) {
    if (__tsan_default_options)
        parse(__tsan_default_options(), &(struct source){"__tsan_default_options", true});
    if (deadheat_default_options)
        parse(deadheat_default_options(), &(struct source){"deadheat_default_options", false});
}

void dh_options_help(void) {
    dh_message("options (DEADHEAT_OPTIONS=name=value:name=value)");
    for (unsigned i = 0; i < OPTIONS; i++)
        dh_message("  %-28s %s", table[i].name, table[i].help);
    dh_message("also taken, without effect, for the sake of ThreadSanitizer's users:");
    for (unsigned i = 0; i < FOREIGN; i++)
        dh_message("  %-28s %s", foreign[i].name, foreign[i].why);
}
