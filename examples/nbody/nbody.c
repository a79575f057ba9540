/* nbody.c: bodies attract each other by gravity. Each time step adds up the pull of all bodies on each body, which is nearly all of
 * the work, and then moves them. The sum of all momenta stays what it was, zero; the program checks that.
 *
 *     nbody BODIES [STEPS]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#pragma cll parallel sequential

#define STEP_S 1e-3
#define SOFTENING 1e-4 /* squared length that keeps near bodies from tearing each other away */

typedef struct {
    double x, y, z;
} vector;

typedef struct {
    vector place, velocity, pull;
    double mass;
} body;

static double random_between(double low, double high)
{
    return low + (high - low) * rand() / RAND_MAX;
}

static vector random_vector(double size)
{
    vector made = {random_between(-size, size), random_between(-size, size), random_between(-size, size)};
    return made;
}

static vector momentum(const body *bodies, int n)
{
    vector sum = {0, 0, 0};
    for (int i = 0; i < n; i++) {
        sum.x += bodies[i].mass * bodies[i].velocity.x;
        sum.y += bodies[i].mass * bodies[i].velocity.y;
        sum.z += bodies[i].mass * bodies[i].velocity.z;
    }
    return sum;
}

/* Bodies at random places, all masses together 1, all momenta together 0. */
static void start(body *bodies, int n)
{
    srand(1);
    for (int i = 0; i < n; i++) {
        bodies[i].place = random_vector(1);
        bodies[i].velocity = random_vector(0.1);
        bodies[i].mass = 1.0 / n;
    }
    vector drift = momentum(bodies, n);
    for (int i = 0; i < n; i++) {
        bodies[i].velocity.x -= drift.x;
        bodies[i].velocity.y -= drift.y;
        bodies[i].velocity.z -= drift.z;
    }
}

static void add_up_pulls(body *bodies, int n)
{
    for (int i = 0; i < n; i++) {
        vector pull = {0, 0, 0};
        for (int k = 0; k < n; k++) {
            double x = bodies[k].place.x - bodies[i].place.x;
            double y = bodies[k].place.y - bodies[i].place.y;
            double z = bodies[k].place.z - bodies[i].place.z;
            double squared = x * x + y * y + z * z + SOFTENING;
            double strength = bodies[k].mass / (squared * sqrt(squared));
            pull.x += strength * x;
            pull.y += strength * y;
            pull.z += strength * z;
        }
        bodies[i].pull = pull;
    }
}

static void move(body *bodies, int n)
{
    for (int i = 0; i < n; i++) {
        body *its = &bodies[i];
        its->velocity.x += STEP_S * its->pull.x;
        its->velocity.y += STEP_S * its->pull.y;
        its->velocity.z += STEP_S * its->pull.z;
        its->place.x += STEP_S * its->velocity.x;
        its->place.y += STEP_S * its->velocity.y;
        its->place.z += STEP_S * its->velocity.z;
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    int steps = argc > 2 ? atoi(argv[2]) : 5;
    if (n < 2 || steps < 1) {
        fprintf(stderr, "usage: nbody BODIES [STEPS]\n");
        return 2;
    }
    body *bodies = malloc((size_t)n * sizeof *bodies);
    if (bodies == NULL) {
        fprintf(stderr, "nbody: no memory for %d bodies\n", n);
        return 2;
    }
    start(bodies, n);

    for (int k = 0; k < steps; k++) {
#pragma cll pulls pulls[0] + pulls[1]*n*n
        add_up_pulls(bodies, n);
#pragma cll end pulls
#pragma cll move move[0] + move[1]*n
        move(bodies, n);
#pragma cll end move
    }

#pragma cll report all
    vector drift = momentum(bodies, n);
    double wrong = fabs(drift.x) + fabs(drift.y) + fabs(drift.z);
    printf("%d bodies, %d steps: first at (%.4f, %.4f, %.4f)\n", n, steps, bodies[0].place.x, bodies[0].place.y,
           bodies[0].place.z);
    free(bodies);
    return wrong < 1e-9 ? 0 : 1;
}
