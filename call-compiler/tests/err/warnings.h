#pragma cll end m
