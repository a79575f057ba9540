/* Warnings only. */
int main(void)
{
#pragma cll report all
    return 0;
}
