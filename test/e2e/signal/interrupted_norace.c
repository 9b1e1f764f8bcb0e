/* Loops are interrupted, and left, by handlers: nothing that was not read is taken for read. */
#include "interrupted.h"

int main(void) { return run((int *)&pointers[FAULT + 1]); }
