/* A ray tracer: 64 spheres on a plane, one light, shadows and mirrors, SIZE by SIZE pixels. Threads take
 * rows in turn. The scene is shared and never written; vectors and hits are passed around by address.
 *
 * Planted: the checksum of the picture is added up without its lock. The original of this benchmark is
 * known for this race. */
#include "kernel.h"

#include <math.h>

struct vector {
    double x, y, z;
};
struct ray {
    struct vector from, towards;
};
struct sphere {
    struct vector centre, colour;
    double radius, mirror;
};
struct hit {
    struct sphere const *sphere;
    double distance;
};

enum { SPHERES = 64, DEPTH = 3 };
static struct sphere *scene;
static uint8_t *picture;
static uint64_t checksum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static double dot(struct vector const *a, struct vector const *b) {
    return a->x * b->x + a->y * b->y + a->z * b->z;
}
static struct vector along(struct vector const *a, double t, struct vector const *b) {
    return (struct vector){a->x + t * b->x, a->y + t * b->y, a->z + t * b->z};
}
static struct vector unit(struct vector const *a) {
    double length = sqrt(dot(a, a));
    return (struct vector){a->x / length, a->y / length, a->z / length};
}

static int meet(struct ray const *ray, struct hit *nearest) {
    nearest->sphere = NULL;
    nearest->distance = 1e30;
    for (int i = 0; i < SPHERES; i++) {
        struct sphere const *s = &scene[i];
        struct vector to = along(&s->centre, -1, &ray->from);
        double middle = dot(&to, &ray->towards);
        double under = middle * middle - dot(&to, &to) + s->radius * s->radius;
        if (under < 0) continue;
        double distance = middle - sqrt(under);
        if (distance < 1e-6 || distance >= nearest->distance) continue;
        nearest->sphere = s;
        nearest->distance = distance;
    }
    return nearest->sphere != NULL;
}

static struct vector trace(struct ray const *ray, int depth) {
    struct hit hit, shade;
    if (!meet(ray, &hit)) return (struct vector){0.2, 0.3, 0.5 + 0.3 * ray->towards.y};
    struct vector point = along(&ray->from, hit.distance, &ray->towards);
    struct vector normal = along(&point, -1, &hit.sphere->centre);
    normal = unit(&normal);
    struct vector light = {20, 30, -20}, to_light = along(&light, -1, &point);
    to_light = unit(&to_light);
    struct ray shadow = {along(&point, 1e-4, &normal), to_light};
    double strength = dot(&normal, &to_light);
    if (strength < 0 || meet(&shadow, &shade)) strength = 0;
    struct vector none = {0, 0, 0}, colour = along(&none, 0.1 + strength, &hit.sphere->colour);
    if (depth < DEPTH && hit.sphere->mirror > 0) {
        struct ray mirrored = {shadow.from,
                               along(&ray->towards, -2 * dot(&ray->towards, &normal), &normal)};
        struct vector seen = trace(&mirrored, depth + 1);
        colour = along(&colour, hit.sphere->mirror, &seen);
    }
    return colour;
}

static uint8_t level(double c) { return (uint8_t)(c < 0 ? 0 : c > 1 ? 255 : 255 * c); }

static uint64_t render(long y) {
    uint64_t sum = 0;
    for (long x = 0; x < size; x++) {
        struct vector towards = {(double)x / (double)size - 0.5, 0.5 - (double)y / (double)size, 1};
        struct ray ray = {{0, 0, -12}, unit(&towards)};
        struct vector colour = trace(&ray, 0);
        uint8_t *pixel = picture + 3 * (y * size + x);
        pixel[0] = level(colour.x);
        pixel[1] = level(colour.y);
        pixel[2] = level(colour.z);
        sum += kernel_mix((uint64_t)(y * size + x)) * (pixel[0] + pixel[1] + pixel[2] + 1u);
    }
    return sum;
}

static void *work(void *argument) {
    int me = (int)(intptr_t)argument;
    uint64_t mine = 0;
    for (long y = me; y < size; y += threads)
        mine += render(y);
#ifdef RACY
    checksum += mine; /* planted */
#else
    pthread_mutex_lock(&lock);
    checksum += mine;
    pthread_mutex_unlock(&lock);
#endif
    return NULL;
}

int main(int argc, char **argv) {
    kernel_arguments(argc, argv, 1);
    scene = kernel_memory(SPHERES * sizeof *scene);
    picture = kernel_memory(3 * (size_t)size * (size_t)size);
    uint64_t seed = 3;
    for (int i = 0; i < SPHERES; i++)
        scene[i] = (struct sphere){
            .centre = {i % 8 * 2 - 7.0, i / 8 * 2 - 7.0, 4 * kernel_real(&seed)},
            .colour = {kernel_real(&seed), kernel_real(&seed), kernel_real(&seed)},
            .radius = 0.5 + 0.7 * kernel_real(&seed),
            .mirror = i % 3 == 0 ? 0.5 : 0,
        };
    kernel_run(work);
    return kernel_print("raytracer", checksum);
}
