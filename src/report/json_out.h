/* JSON into a sink: what the formatters that write it share. Nothing is allocated.
 * What is no UTF-8 becomes U+FFFD, so that any text can be written.
 */
#ifndef DEADHEAT_REPORT_JSON_OUT_H
#define DEADHEAT_REPORT_JSON_OUT_H

#include "report/out.h"

struct json_writer {
    struct out out;
    bool first; /* nothing yet in the object or array that is open: no comma */
};

static inline void json_put(struct json_writer *w, char const *text) { out_text(&w->out, text); }

static inline void json_separate(struct json_writer *w) {
    if (!w->first) json_put(w, ",");
    w->first = false;
}

static inline void json_open(struct json_writer *w, char const *bracket) {
    json_put(w, bracket);
    w->first = true;
}

static inline void json_close(struct json_writer *w, char const *bracket) {
    json_put(w, bracket);
    w->first = false;
}

static inline void json_key(struct json_writer *w, char const *name) {
    json_separate(w);
    json_put(w, "\"");
    json_put(w, name);
    json_put(w, "\":");
}

/* How many bytes at s are one well-formed UTF-8 character (Unicode 15, table 3-7); 0 if none. */
static inline size_t json_utf8_length(unsigned char const *s) {
    unsigned char low = 0x80, high = 0xbf;
    size_t length;
    if (s[0] < 0x80) return 1;
    if (s[0] >= 0xc2 && s[0] <= 0xdf) {
        length = 2;
    } else if (s[0] >= 0xe0 && s[0] <= 0xef) {
        length = 3;
        if (s[0] == 0xe0) low = 0xa0;
        if (s[0] == 0xed) high = 0x9f;
    } else if (s[0] >= 0xf0 && s[0] <= 0xf4) {
        length = 4;
        if (s[0] == 0xf0) low = 0x90;
        if (s[0] == 0xf4) high = 0x8f;
    } else {
        return 0;
    }
    for (size_t i = 1; i < length; i++, low = 0x80, high = 0xbf)
        if (s[i] < low || s[i] > high) return 0; /* also at the end of the string */
    return length;
}

static inline void json_string(struct json_writer *w, char const *text) {
    if (!text) {
        json_put(w, "null");
        return;
    }
    json_put(w, "\"");
    for (unsigned char const *s = (unsigned char const *)text; *s;) {
        size_t length = json_utf8_length(s);
        if (length == 0) {
            json_put(w, "\\ufffd");
            s++;
        } else if (*s == '"' || *s == '\\') {
            json_put(w, "\\");
            out_bytes(&w->out, (char const *)s++, 1);
        } else if (*s < ' ' || *s == 0x7f) {
            json_put(w, "\\u");
            out_number(&w->out, *s++, 16, 4);
        } else {
            out_bytes(&w->out, (char const *)s, length);
            s += length;
        }
    }
    json_put(w, "\"");
}

static inline void json_text(struct json_writer *w, char const *name, char const *text) {
    json_key(w, name);
    json_string(w, text);
}

static inline void json_number(struct json_writer *w, char const *name, uint64_t value) {
    json_key(w, name);
    out_decimal(&w->out, value);
}

/* A number of which 0 means unknown. */
static inline void json_positive(struct json_writer *w, char const *name, uint64_t value) {
    json_key(w, name);
    if (value == 0)
        json_put(w, "null");
    else
        out_decimal(&w->out, value);
}

static inline void json_hex(struct json_writer *w, char const *name, bool known, uint64_t value) {
    json_key(w, name);
    if (!known) {
        json_put(w, "null");
        return;
    }
    json_put(w, "\"");
    out_hex(&w->out, value);
    json_put(w, "\"");
}

/* An address of which 0 means unknown. */
static inline void json_address(struct json_writer *w, char const *name, uint64_t address) {
    json_hex(w, name, address != 0, address);
}

static inline void json_bool(struct json_writer *w, char const *name, bool value) {
    json_key(w, name);
    json_put(w, value ? "true" : "false");
}

#endif
