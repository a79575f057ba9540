#pragma cll sync f f[0] + f[1]*N let x = N*2 at end (N) counters A, B
work();
#pragma cll end f
#pragma cll report all
