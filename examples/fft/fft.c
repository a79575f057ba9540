/* fft.c: divide and conquer fast Fourier transform of complex signals whose size is a power of two, on a BSP machine whose number of
 * processors is a power of two. Signal and result are replicated on all processors.
 *
 *     fft       one size, or with CALL all sizes of the sampling loop
 *     fft N     transforms of size N
 */
#include <math.h>
#include <pub.h>
#include <stdio.h>
#include <stdlib.h>

#pragma cll parallel PUB gbsp procs = 1:32:2

typedef struct {
    double re, im;
} Complex;

/* Largest size of the sampling loop in main. */
#define LARGEST_SAMPLE 131072

/* Of each size. On a computer that does other things, too, the shortest of them is what the transform takes. */
#define TRANSFORMS 10

/* Rounds of messages before the first measurement. */
#define WARM_UPS 3

/* Sizes up to this are compared with the definition of the transform in all places, larger ones in CHECKED_PLACES of them. */
#define LARGEST_CHECKED_WHOLE 1024
#define CHECKED_PLACES 16

/* Rounding errors grow with the logarithm of the size. */
static const double tolerance = 1e-14;

static const double pi = 3.14159265358979323846;

static int is_power_of_two(long value)
{
    return value > 0 && (value & (value - 1)) == 0;
}

/* A signal without symmetries, the same on every processor: numbers in [-1, 1) of a linear congruential generator. */
static void initialize(int N, Complex *a)
{
    unsigned long state = 12345;
    for (int i = 0; i < N; i++) {
        state = (1664525 * state + 1013904223) % 4294967296;
        a[i].re = (double)state / 2147483648.0 - 1;
        state = (1664525 * state + 1013904223) % 4294967296;
        a[i].im = (double)state / 2147483648.0 - 1;
    }
}

/* W[m + k] = exp(-2 pi i k / 2m) for k < m and m = n, n/2, ..., 1: each level of the recursion finds its roots side by side. */
static void Roots(int n, Complex *W)
{
    for (int k = 0; k < n; k++) {
        W[n + k].re = cos(pi * k / n);
        W[n + k].im = -sin(pi * k / n);
    }
    for (int m = n / 2; m > 0; m /= 2) {
        for (int k = 0; k < m; k++) {
            W[m + k] = W[2 * m + 2 * k];
        }
    }
}

/* A[0 .. 2n) is the transform of the signal whose even samples have the transform B[0 .. n) and whose odd samples have C[0 .. n).
 * B may be the lower half of A, and C the upper one. */
static void combine(Complex *A, const Complex *B, const Complex *C, const Complex *W, int n)
{
    const Complex *roots = W + n;
    for (int i = 0; i < n; i++) {
        Complex even = B[i], odd;
        odd.re = roots[i].re * C[i].re - roots[i].im * C[i].im;
        odd.im = roots[i].re * C[i].im + roots[i].im * C[i].re;
        A[i].re = even.re + odd.re;
        A[i].im = even.im + odd.im;
        A[i + n].re = even.re - odd.re;
        A[i + n].im = even.im - odd.im;
    }
}

/* Room for as many numbers as A; its contents mean nothing between transforms. */
static Complex *scratch;

/* Even numbers of a[0], a[stride], ..., a[(N - 1) * stride] to half[0 .. N/2), odd ones behind them. */
static void separate(Complex *half, const Complex *a, int N, int stride)
{
    int n = N / 2;
    for (int i = 0; i < n; i++) {
        half[i] = a[2 * i * stride];
        half[i + n] = a[(2 * i + 1) * stride];
    }
}

/* A[0 .. N) becomes its own transform. Each level moves the two halves of its signal side by side: access with a large stride would
 * miss the cache more often the larger N is, and the time would not be proportional to N log N. */
static void transform(Complex *A, Complex *room, const Complex *W, int N)
{
    int n = N / 2;
    if (n > 0) {
        separate(room, A, N, 1);
        transform(room, A, W, n);
        transform(room + n, A + n, W, n);
        combine(A, room, room + n, W, n);
    }
}

/* A[0 .. N) becomes the transform of a[0], a[stride], ..., a[(N - 1) * stride]. */
static void seqDandCFFT(Complex *A, const Complex *a, const Complex *W, int N, int stride)
{
    int n = N / 2;
    if (N == 1) {
        A[0] = a[0];
    } else {
        separate(scratch, a, N, stride);
        transform(scratch, A, W, n);
        transform(scratch + n, A + n, W, n);
        combine(A, scratch, scratch + n, W, n);
    }
}

void parDandCFFT(Complex *A, Complex *a, Complex *W, int N, int stride, t_bsp *gbsp)
{
    Complex *B, *C;
    int n, size, partner, subgroup[2];
    t_bsp bsp_new;

    if (bsp_nprocs(gbsp) > 1) {
        if (N == 1) {
            A[0].re = a[0].re;
            A[0].im = a[0].im;
        } else {
            #pragma cll A A[0] counters task-clock
            n = N / 2;
            size = n * (int)sizeof(Complex);
            B = A;
            C = A + n;
            #pragma cll end A
            #pragma cll B B[0] counters task-clock
            subgroup[1] = bsp_nprocs(gbsp);
            subgroup[0] = bsp_nprocs(gbsp) / 2;
            bsp_partition(gbsp, &bsp_new, 2, subgroup);
            #pragma cll end B
            if (bsp_pid(gbsp) < subgroup[0]) {
                parDandCFFT(B, a, W, n, stride * 2, &bsp_new);
                #pragma cll C C[0] counters task-clock
                partner = bsp_pid(&bsp_new) + subgroup[0];
                bsp_done(&bsp_new);
                #pragma cll end C
                #pragma cll D D[0] + D[1] * size counters task-clock
                bsp_hpsend(gbsp, partner, B, size);
                bsp_oblsync(gbsp, 1);
                #pragma cll end D
                #pragma cll E E[0] + E[1] * n counters task-clock
                C = (Complex *)bspmsg_data(bsp_getmsg(gbsp, 0));
                #pragma cll end E
            } else {
                parDandCFFT(C, a + stride, W, n, stride * 2, &bsp_new);
                #pragma cll C C[0] counters task-clock
                partner = bsp_pid(&bsp_new);
                bsp_done(&bsp_new);
                #pragma cll end C
                #pragma cll D D[0] + D[1] * size counters task-clock
                bsp_hpsend(gbsp, partner, C, size);
                bsp_oblsync(gbsp, 1);
                #pragma cll end D
                #pragma cll E E[0] + E[1] * n counters task-clock
                B = (Complex *)bspmsg_data(bsp_getmsg(gbsp, 0));
                #pragma cll end E
            }
            #pragma cll F F[0] + F[1] * n counters task-clock
            combine(A, B, C, W, n);
            #pragma cll end F
        }
    } else
        #pragma cll G G[0] + G[1] * N * log(N) counters task-clock
        seqDandCFFT(A, a, W, N, stride);
        #pragma cll end G
}

/* Place k of the transform of a[0 .. N) as it is defined; W[N/2 ..) holds the roots of the first half circle. */
static Complex defined_transform(const Complex *a, const Complex *W, int N, int k)
{
    Complex sum = {0, 0};
    long long turn = 0; /* j * k mod N */
    for (int j = 0; j < N; j++) {
        Complex root = {1, 0};
        if (N > 1) {
            root = W[N / 2 + turn % (N / 2)];
        }
        if (turn >= N / 2 && N > 1) {
            root.re = -root.re;
            root.im = -root.im;
        }
        sum.re += a[j].re * root.re - a[j].im * root.im;
        sum.im += a[j].re * root.im + a[j].im * root.re;
        turn = (turn + k) % N;
    }
    return sum;
}

/* Compares A with the definition of the transform, relative to the length of the signal. */
static void check(const Complex *A, const Complex *a, const Complex *W, int N, t_bsp *gbsp)
{
    int places = N <= LARGEST_CHECKED_WHOLE ? N : CHECKED_PLACES;
    double largest_error = 0, squares = 0, length;
    for (int j = 0; j < N; j++) {
        squares += a[j].re * a[j].re + a[j].im * a[j].im;
    }
    length = sqrt(squares);
    for (int place = 0; place < places; place++) {
        int k = N <= LARGEST_CHECKED_WHOLE ? place : (int)((2654435761ull * (unsigned)place + 1) % (unsigned)N);
        Complex wanted = defined_transform(a, W, N, k);
        double error = hypot(A[k].re - wanted.re, A[k].im - wanted.im) / length;
        if (!(error <= largest_error)) { /* not a number counts as an error */
            largest_error = error;
        }
    }
    if (!(largest_error <= tolerance * (1 + log2(N)))) {
        fprintf(stderr, "fft: processor %d has a wrong result for N = %d: error %g\n", bsp_pid(gbsp), N, largest_error);
        exit(1);
    }
    if (bsp_pid(gbsp) == 0) {
        printf("N = %d, P = %d: largest error %.1e\n", N, bsp_nprocs(gbsp), largest_error);
        fflush(stdout);
    }
}

static Complex *allocate(int count)
{
    Complex *made = malloc((size_t)count * sizeof(Complex));
    if (made == NULL) {
        fprintf(stderr, "fft: no memory for %d complex numbers\n", count);
        exit(2);
    }
    /* Written here, so that no measurement pays for the first touch of a page; not with zeros, which compilers leave to calloc. */
    for (int i = 0; i < count; i++) {
        made[i].re = made[i].im = 1;
    }
    return made;
}

/* The size on the command line; 0 if there is none, -1 if it cannot be used. */
static int wanted_size(int argc, char **argv)
{
    char *end;
    long size;
    if (argc < 2) {
        return 0;
    }
    size = strtol(argv[1], &end, 10);
    /* n * sizeof(Complex) has to be an int */
    return argc > 2 || *end != '\0' || !is_power_of_two(size) || size > 1L << 27 ? -1 : (int)size;
}

/* Sends and receives messages of the sizes that a transform of size N does: their memory costs time when it is touched first, and the
 * formulas do not speak of that. */
static void warm_up(const Complex *A, int N, t_bsp *gbsp)
{
    for (int round = 0; round < WARM_UPS; round++) {
        for (int group = 2; group <= bsp_nprocs(gbsp); group *= 2) {
            int size = N / bsp_nprocs(gbsp) * (group / 2) * (int)sizeof(Complex);
            bsp_hpsend(gbsp, bsp_pid(gbsp) ^ (group / 2), A, size);
            bsp_oblsync(gbsp, 1);
        }
    }
}

int main(int argc, char **argv)
{
    t_bsp bsp, *gbsp = &bsp;
    Complex *A, *a, *W;
    int N, size;

    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, gbsp);
    size = wanted_size(argc, argv);
    if (size < 0 || !is_power_of_two(bsp_nprocs(gbsp))) {
        if (bsp_pid(gbsp) == 0) {
            fprintf(stderr, size < 0 ? "fft: N must be a power of two up to 134217728\n"
                                     : "fft: the number of processors must be a power of two\n");
        }
        bsplib_done();
        return 2;
    }
    N = size > 0 ? size : LARGEST_SAMPLE;
    A = allocate(N);
    a = allocate(N);
    W = allocate(N);
    scratch = allocate(N);

    warm_up(A, N, gbsp);

    if (size > 0) {
        initialize(N, a);
        Roots(N / 2, W);
        for (int k = 0; k < TRANSFORMS; k++) {
            #pragma cll sync f counters task-clock
            parDandCFFT(A, a, W, N, 1, gbsp);
            #pragma cll end f
        }
        check(A, a, W, N, gbsp);
    } else {
        #pragma cll for(N=1024; N<262144; N*=2)
        initialize(N, a);
        Roots(N / 2, W);
        for (int k = 0; k < TRANSFORMS; k++) {
            #pragma cll sync f f[0]+f[1]*log(P)+\
                f[2]*(N/P)*log(N/P)+f[3]*N*(P-1)/P
            parDandCFFT(A, a, W, N, 1, gbsp);
            #pragma cll end f
        }
        check(A, a, W, N, gbsp);
        #pragma cll end for
    }
    #pragma cll report all

    free(A);
    free(a);
    free(W);
    free(scratch);
    bsplib_done();
    return 0;
}
