/* The shape is "deadheat-explain/1": names are never removed or given another meaning within a
 * version. */
#include "driver/explain.h"

#include "report/json_out.h"

static void print(void *to, char const *text, size_t length) { fwrite(text, 1, length, to); }

static struct json_writer json;

static void place(struct explain_place const *p) {
    json_text(&json, "file", p->file);
    json_number(&json, "line", p->line);
    json_number(&json, "column", p->column);
}

static void bytes(uint64_t count) {
    json_key(&json, "bytes");
    if (count == 0)
        json_put(&json, "null");
    else
        out_decimal(&json.out, count);
}

static void signed_number(char const *key, int64_t n) {
    json_key(&json, key);
    if (n < 0) json_put(&json, "-");
    out_decimal(&json.out, n < 0 ? 0 - (uint64_t)n : (uint64_t)n);
}

static void check(struct explain_check const *c, size_t number) {
    json_separate(&json);
    json_open(&json, "{");
    json_number(&json, "number", number);
    place(&c->place);
    json_text(&json, "form", c->form);
    json_text(&json, "access", c->kind);
    bytes(c->bytes);
    signed_number("stride", c->stride);
    json_number(&json, "more", c->more);
    signed_number("only", c->only);
    json_close(&json, "}");
}

static void access(struct explain_access const *a) {
    json_separate(&json);
    json_open(&json, "{");
    place(&a->place);
    json_text(&json, "access", a->kind);
    bytes(a->bytes);
    json_text(&json, "fate", dh_explain_fates[a->fate]);
    json_text(&json, "reason", a->reason);
    json_text(&json, "why", a->why);
    json_key(&json, "check");
    if (a->check == EXPLAIN_NONE)
        json_put(&json, "null");
    else
        out_decimal(&json.out, a->check);
    json_key(&json, "call");
    if (a->call.line == 0) {
        json_put(&json, "null");
    } else {
        json_open(&json, "{");
        place(&a->call);
        json_close(&json, "}");
    }
    json_close(&json, "}");
}

static void function(struct explain_function const *f) {
    json_separate(&json);
    json_open(&json, "{");
    json_text(&json, "name", f->name);
    json_text(&json, "file", f->place.file);
    json_number(&json, "line", f->place.line);
    json_key(&json, "calls");
    json_open(&json, "[");
    for (size_t i = 0; i < f->call_count; i++) {
        json_separate(&json);
        json_open(&json, "{");
        place(&f->calls[i]);
        json_close(&json, "}");
    }
    json_close(&json, "]");
    json_key(&json, "checks");
    json_open(&json, "[");
    for (size_t i = 0; i < f->check_count; i++)
        check(&f->checks[i], i);
    json_close(&json, "]");
    json_key(&json, "accesses");
    json_open(&json, "[");
    for (size_t i = 0; i < f->access_count; i++)
        access(&f->accesses[i]);
    json_close(&json, "]");
    json_close(&json, "}");
}

void dh_explain_json(struct explained const *e, FILE *out) {
    json = (struct json_writer){.out = {print, out}};
    json_open(&json, "{");
    json_text(&json, "schema", "deadheat-explain/1");
    json_text(&json, "file", e->file);
    json_text(&json, "detector", e->detector);
    json_key(&json, "functions");
    json_open(&json, "[");
    for (size_t i = 0; i < e->count; i++)
        function(&e->functions[i]);
    json_close(&json, "]");
    json_close(&json, "}");
    json_put(&json, "\n");
}
