#define PASTE(a, b) a##b
#define NAME(type) PASTE(add_, type)
static TYPE NAME(TYPE)(TYPE size)
{
#pragma cll add add[0]*size
    if (size > 3)
        return size;
    size += size;
#pragma cll end add
    return size;
}
#undef NAME
#undef PASTE
