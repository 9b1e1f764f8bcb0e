/* Loops are interrupted, and left, by handlers: what is read there races as ever. */
#include "interrupted.h"

int main(void) { return run(&keys[SIZE / 2]); }
