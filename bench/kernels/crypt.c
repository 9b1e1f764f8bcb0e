/* IDEA: SIZE blocks of eight bytes are encrypted and decrypted again, by bands.
 *
 * Planted: each band but the last is one block too long. Both threads write the same bytes to the
 * block between two bands, so the result stays what it was. */
#include "kernel.h"

enum { KEYS = 52, BLOCK = 8 };
static uint16_t encrypt_keys[KEYS], decrypt_keys[KEYS];
static uint8_t *plain, *cipher, *again;

/* Multiplication modulo 2^16 + 1, where 0 stands for 2^16. */
static uint16_t multiply(uint32_t a, uint32_t b) {
    if (a == 0) return (uint16_t)(1 - b);
    if (b == 0) return (uint16_t)(1 - a);
    uint32_t p = a * b, low = p & 0xffff, high = p >> 16;
    return (uint16_t)(low - high + (low < high));
}

static uint16_t inverse(uint16_t a) { /* a to the power 2^16 - 1 */
    uint16_t result = 1;
    for (int i = 0; i < 16; i++) {
        result = multiply(result, a);
        a = multiply(a, a);
    }
    return result;
}

static void make_keys(uint64_t seed) {
    uint8_t key[16];
    for (int i = 0; i < 16; i++)
        key[i] = (uint8_t)kernel_random(&seed);
    uint64_t high = 0, low = 0;
    for (int i = 0; i < 8; i++) {
        high = high << 8 | key[i];
        low = low << 8 | key[8 + i];
    }
    for (int i = 0; i < KEYS; i++) {
        int part = i % 8;
        encrypt_keys[i] = (uint16_t)((part < 4 ? high : low) >> (48 - 16 * (part % 4)));
        if (part == 7) { /* the key, turned by 25 bits */
            uint64_t h = high << 25 | low >> 39;
            low = low << 25 | high >> 39;
            high = h;
        }
    }
    uint16_t *d = decrypt_keys, *e = encrypt_keys;
    for (int r = 0; r <= 8; r++) { /* round r undoes round 8 - r */
        uint16_t *from = e + 6 * (8 - r);
        d[6 * r] = inverse(from[0]);
        d[6 * r + 1] = (uint16_t)-from[r == 0 || r == 8 ? 1 : 2];
        d[6 * r + 2] = (uint16_t)-from[r == 0 || r == 8 ? 2 : 1];
        d[6 * r + 3] = inverse(from[3]);
        if (r == 8) break;
        d[6 * r + 4] = from[-2];
        d[6 * r + 5] = from[-1];
    }
}

static void cipher_blocks(uint8_t const *in, uint8_t *out, uint16_t const *keys, long from,
                          long to) {
    for (long b = from; b < to; b++) {
        uint8_t const *i = in + b * BLOCK;
        uint8_t *o = out + b * BLOCK;
        uint16_t const *k = keys;
        uint16_t x1 = (uint16_t)(i[0] | i[1] << 8), x2 = (uint16_t)(i[2] | i[3] << 8),
                 x3 = (uint16_t)(i[4] | i[5] << 8), x4 = (uint16_t)(i[6] | i[7] << 8);
        for (int r = 0; r < 8; r++, k += 6) {
            x1 = multiply(x1, k[0]);
            x2 = (uint16_t)(x2 + k[1]);
            x3 = (uint16_t)(x3 + k[2]);
            x4 = multiply(x4, k[3]);
            uint16_t t2 = multiply(x1 ^ x3, k[4]);
            uint16_t t1 = multiply((uint16_t)(t2 + (x2 ^ x4)), k[5]);
            t2 = (uint16_t)(t1 + t2);
            x1 ^= t1;
            x4 ^= t2;
            uint16_t x = x2 ^ t2;
            x2 = x3 ^ t1;
            x3 = x;
        }
        uint16_t y[4] = {multiply(x1, k[0]), (uint16_t)(x3 + k[1]), (uint16_t)(x2 + k[2]),
                         multiply(x4, k[3])};
        for (int n = 0; n < BLOCK; n++)
            o[n] = (uint8_t)(y[n / 2] >> 8 * (n % 2)); /* planted */
    }
}

static void *work(void *argument) {
    int me = (int)(intptr_t)argument;
    long from = kernel_share(size, me), to = kernel_share(size, me + 1);
#ifdef RACY
    if (me < threads - 1) to++;
#endif
    for (long n = 0; n < rounds; n++) {
        cipher_blocks(plain, cipher, encrypt_keys, from, to);
        cipher_blocks(cipher, again, decrypt_keys, from, to);
    }
    return NULL;
}

int main(int argc, char **argv) {
    kernel_arguments(argc, argv, 1);
    size_t bytes = (size_t)size * BLOCK;
    plain = kernel_memory(bytes);
    cipher = kernel_memory(bytes);
    again = kernel_memory(bytes);
    uint64_t seed = 1;
    for (size_t i = 0; i < bytes; i++)
        plain[i] = (uint8_t)kernel_random(&seed);
    make_keys(seed);
    kernel_run(work);
    uint64_t sum = 0;
    for (size_t i = 0; i < bytes; i++)
        sum = kernel_mix(sum + cipher[i]);
    if (memcmp(plain, again, bytes) != 0) sum = 0; /* decryption must give the text back */
    return kernel_print("crypt", sum);
}
