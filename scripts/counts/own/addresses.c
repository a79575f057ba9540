/* Distances between addresses count elements, of the type that the pointer has there. */
int sum;

void bytes(unsigned char *to, int n)
{
    for (unsigned char *at = to; at < to + n; at++)
        sum++; /* exact: n; n >= 0 */
}

void words_of_bytes(int *to, int n)
{
    int *end = (int *)((char *)to + n);
    for (int *at = to; at < end; at++)
        sum++; /* unknown */
}

void bytes_of_words(int *to, int n)
{
    for (char *at = (char *)to; at < (char *)(to + n); at++)
        sum++; /* unknown */
}

void numbers(int *to, int n)
{
    long count = (long)(to + n) - (long)to;
    for (long i = 0; i < count; i++)
        sum++; /* unknown */
}

void elements(int *to, int n)
{
    long count = (to + n) - to;
    for (long i = 0; i < count; i++)
        sum++; /* exact: n; n >= 0 */
}

void without_casts(void *to, int n)
{
    char *bytes = to;
    void *end = bytes + n;
    int *last = end;
    for (int *at = to; at < last; at++)
        sum++; /* unknown */
}

void elements_between(int *from, int *to)
{
    for (int *at = from; at < to; at++)
        sum++; /* unknown */
}

void bytes_are_added_to_void(void *to, int n)
{
    elements_between(to, to + n);
}

void elements_of_void(void *from, void *to)
{
    int *last = to;
    for (int *at = from; at < last; at++)
        sum++; /* unknown */
}

void bytes_become_void(char *to, int n)
{
    elements_of_void(to, to + n);
}

void elements_of_local(int n)
{
    int local[1000];
    for (int *at = local; at < local + n; at++)
        sum++; /* exact: n; n >= 0 */
}

void bytes_of_local(int n)
{
    int local[1000];
    for (char *at = (char *)local; at < (char *)(local + n); at++)
        sum++; /* unknown */
}

void not_of_local(int *other, int n)
{
    int local[1000];
    for (int i = 0; i < n; i++)
        if (other != local)
            sum++; /* at-most: n; n >= 0 */
}
