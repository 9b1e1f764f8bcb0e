// Larger C, at hand in the tree: the plugin's own.
// RUN: for o in 0 2; do for f in ir/llvm ir/escape emit/atomics emit/checks emit/fields; do %dhcc -O$o -g -I %src -isystem %llvm_include -c -emit-llvm %src/$f.c -o %t.bc && opt -passes=verify -disable-output %t.bc && %dhcc -x ir -c %t.bc -o %t.o || exit 1; done; done
