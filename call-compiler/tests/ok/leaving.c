/* Statements that leave blocks: text of its own before each, values computed first; a guard where a macro hides one. */
#include <stdlib.h>

struct pair { int first, second; };
int work(int n);
struct pair both(int n);
int (*chosen(int n))(int);

#define CHECK(n) do { if ((n) < 0) return -1; } while (0)
#define TWICE(statement) statement

static int plain(int n)
{
#pragma cll plain plain[0] + plain[1]*n
    if (n == 0)
        return 0;
    else if (n == 1) return work(n) +
        work(n - 1);
    for (int i = 0; i < n; i++) {
        if (i == 7)
            goto out;
        if (i == 5)
            break;
    }
#pragma cll end plain
    return n;
out:
    return -n;
}

static struct pair structure(int n)
{
#pragma cll structure structure[0]*n
    return both(n);
#pragma cll end structure
}

static int (*function(int n))(int)
{
#pragma cll function function[0]*n
    return chosen(n + 1);
#pragma cll end function
}

static void nothing(int n)
{
#pragma cll nothing nothing[0]
    if (n) return;
    if (n < 0) exit(1);
#pragma cll end nothing
}

static int loops(int n)
{
    int sum = 0;
    while (n-- > 0) {
#pragma cll outer outer[0]
        if (n % 3 == 0)
            continue;
        switch (n) {
        case 1: {
#pragma cll inner inner[0]*n
            if (sum > 10) break;
            if (sum > 20) return work(sum);
            sum += n;
#pragma cll end inner
            break;
        }
        default: sum++;
        }
#pragma cll end outer
    }
    return sum;
}

static int hidden(int n)
{
#pragma cll hidden hidden[0]*n
    int local = work(n);
    CHECK(local);
    TWICE(if (local > 3) return work(local););
    if (local == 2) return 2;
#pragma cll end hidden
    return n;
}

static int by_hand(int n)
{
#pragma cll by_hand by_hand[0]*n
    if (n > 3) {
#pragma cll end by_hand
        return work(n);
    }
    work(n + 1);
#pragma cll end by_hand
    return 0;
}

int main(void)
{
    nothing(0);
#pragma cll report all
    return plain(1) + structure(2).first + function(3)(3) + loops(4) + hidden(5) + by_hand(6);
}
