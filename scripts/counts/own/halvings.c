/* What is halved: searches between two ends, lengths, what is left. Those that go astray run as often as their data say. */
int sum;

void kept_length(int n, const int *a, int key)
{
    int low = 0, high = n - 1, middle;
    int length = high - low;
    while (length > 1) {
        middle = low + length/2; /* rounded: n > 2 ? log2(n) : 0; n >= 4 */
        if (a[middle] > key)
            high = middle;
        else
            low = middle;
        length = high - low;
    }
    sum += low;
}

/* The length lags behind the ends by one iteration. */
void late_length(int n, const int *a, int key)
{
    int low = 0, high = n - 1, length = n - 1;
    for (int steps = 0; length > 1 && steps < 100; steps++) {
        int middle = low + length/2;
        sum++; /* at-most: 100 */
        length = high - low;
        if (a[middle] > key)
            high = middle;
        else
            low = middle;
    }
}

void open_ends(int n, const int *a, int key)
{
    int low = -1, high = n;
    while (high - low > 1) {
        int middle = (low + high)/2;
        sum++; /* rounded: log2(n); n >= 2 */
        if (a[middle] <= key)
            low = middle;
        else
            high = middle;
    }
}

void lower_bound(int n, const int *a, int key)
{
    int first = 0, count = n;
    while (count > 0) {
        int half = count/2;
        sum++; /* rounded: log2(n); n >= 2 */
        if (a[first + half] < key) {
            first += half + 1;
            count -= half + 1;
        } else
            count = half;
    }
}

void without_branches(unsigned n, const int *base, int key)
{
    while (n > 1) {
        unsigned half = n/2;
        base = base[half] < key ? base + half : base;
        n -= half;
        sum++; /* rounded: log2(n); n >= 2 */
    }
}

void chosen(unsigned n, const int *a, int key)
{
    unsigned low = 0, length = n;
    while (length > 0) {
        unsigned half = length >> 1, middle = low + half;
        low = a[middle] < key ? middle + 1 : low;
        length = a[middle] < key ? length - half - 1 : half;
        sum++; /* rounded: log2(n); n >= 2 */
    }
}

/* Where the key is found the interval stays as it is, and the loop ends. */
void with_flag(int n, const int *a, int key)
{
    int low = 0, high = n - 1, found = 0;
    while (low <= high && !found) {
        int middle = low + (high - low)/2;
        sum++; /* at-most: n > 0 ? log2(n) + 1 : 0 */
        if (a[middle] == key)
            found = 1;
        else if (a[middle] < key)
            low = middle + 1;
        else
            high = middle - 1;
    }
}

/* The flag does not end it. */
void with_counter(int n, const int *a, int key)
{
    int low = 0, high = n - 1, found = 0;
    while (low <= high && found < 40) {
        int middle = low + (high - low)/2;
        sum++; /* at-most: 41 + log2(n) */
        if (a[middle] == key)
            found++;
        else if (a[middle] < key)
            low = middle + 1;
        else
            high = middle - 1;
    }
}

void in_step(int n, const int *a, int key)
{
    int low, high, middle;
    for (low = 0, high = n - 1, middle = (low + high)/2; low <= high; middle = (low + high)/2) {
        sum++; /* at-most: n > 0 ? log2(n) + 1 : 0 */
        if (key < a[middle])
            high = middle - 1;
        else if (key > a[middle])
            low = middle + 1;
        else
            return;
    }
}

/* A quarter is left away: it takes longer. */
void quarters(int n)
{
    while (n > 3) {
        n -= n/4;
        sum++; /* rounded: log2(n)/log2(4.0/3); n >= 30 */
    }
}

/* Halves at first, then goes by one. */
void slower(int n, int m)
{
    while (n > 1) {
        sum++; /* at-most: n + m */
        if (n > m)
            n = n/2;
        else
            n = n - 1;
    }
}

/* Both ends move at once. */
void both(int n)
{
    int low = 0, high = n;
    while (low < high) {
        int quarter = (high - low)/4;
        sum++; /* at-most: n + 1 */
        low = low + quarter + 1;
        high = high - quarter;
    }
}

/* The ends are drawn to the middle by a pointer. */
void by_pointer(int n, const int *a, int key)
{
    int low = 0, high = n, *end = &high;
    for (int steps = 0; low < high && steps < 50; steps++) {
        int middle = (low + high)/2;
        sum++; /* at-most: 50 */
        if (a[middle] < key)
            low = middle + 1;
        else
            *end = middle;
        if (a[low] == key)
            *end = *end + 1;
    }
}

/* The name that the middle has is another variable's behind the block. */
void shadowed(int n, const int *a, int key)
{
    int low = 0, high = n, middle = n;
    for (int steps = 0; low < high && steps < 50; steps++) {
        {
            int middle = (low + high)/2;
            sum += middle; /* at-most: 50 */
        }
        if (a[low] < key)
            low = low + 1;
        else
            high = middle;
    }
}
