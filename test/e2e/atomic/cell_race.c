/* What is given at one object of a cell is not taken at its neighbours, nor where a store has ended it. */
// ENV: DEADHEAT_OPTIONS=symbolize=0
#include "cell.h"

int main(void) { return run(1); }
