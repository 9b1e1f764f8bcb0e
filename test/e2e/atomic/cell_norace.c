/* What is given at one object of a cell is taken there, whatever its neighbours are used for in between. */
#include "cell.h"

int main(void) { return run(0); }
