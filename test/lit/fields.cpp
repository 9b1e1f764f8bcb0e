// Field names in C++: namespaces, templates, base classes.
// RUN: %dhcxx -std=c++20 -O2 -g -c %s -o %t.o && llvm-readelf -p deadheat_fields %t.o | FileCheck %s
namespace ns {
struct Base { virtual ~Base() {} int n; };
class Derived : public Base { public: int m; int both() { return n + m; } };
template <class T> struct Box { int size; T value; };
}
ns::Derived *make() { return new ns::Derived; } // the debug information of a class is where it is made
int f(ns::Derived *d, ns::Box<int> *b, ns::Box<float> *c) {
    d->n = 1;
    d->m = 2;
    b->value = 3;
    return c->size;
}
// CHECK: {{[^0-9]}}10{{[^0-9]}}10{{[^0-9]}}struct ns::Base.n{{$}}
// CHECK: {{[^0-9]}}11{{[^0-9]}}10{{[^0-9]}}class ns::Derived.m{{$}}
// CHECK: {{[^0-9]}}12{{[^0-9]}}14{{[^0-9]}}struct ns::Box.value{{$}}
// CHECK: {{[^0-9]}}13{{[^0-9]}}15{{[^0-9]}}struct ns::Box.size{{$}}
