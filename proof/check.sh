#!/bin/sh
# All that is claimed of the proofs: every file is built, nothing is admitted, the headline theorems assume
# nothing, and the detectors extracted from them agree with src/core and src/detect.
#   check.sh            from scratch, and once more by Coq's independent checker
#   check.sh --cached   the tests' way: what was checked before, here or in another checkout, is not checked again
#                       (coqc.sh says how that is made sure of); the output names it. Fewer traces
set -eu
cd "$(dirname "$0")"
fail() { echo "proof: $1"; exit 1; }
case ${1-} in
'') coqc=coqc count=1000000 depth=4 ;;
--cached) coqc=./coqc.sh count=100000 depth=3 ;;
*) fail "unknown argument: $1" ;;
esac

for file in *.v; do
    grep -qx "$file" _CoqProject || fail "$file is not in _CoqProject"
done
! grep -nwE 'Admitted|admit|Axiom' -- *.v || fail "something is taken on trust"

# No time stamp is trusted.
make --no-print-directory clean >/dev/null
mkdir -p build
make --no-print-directory "COQC=$coqc" >build/output 2>&1 || { cat build/output; exit 1; }
grep 'checked before$' build/output || echo "all proofs checked from scratch"
asked=$(grep -c '^Print Assumptions' Main.v) closed=$(grep -c '^Closed under the global context' build/output)
[ "$asked" = "$closed" ] || fail "$asked theorems were asked for what they assume, $closed assume nothing"
echo "$closed theorems assume nothing"
if [ "$coqc" = coqc ]; then
    coqchk -silent -o -Q . Deadheat Deadheat.Main >build/coqchk 2>&1 || { cat build/coqchk; exit 1; }
    [ "$(grep -c '<none>$' build/coqchk)" = 4 ] || { cat build/coqchk; fail "something is taken on trust"; }
    echo "coqchk finds no axiom either"
fi
make --no-print-directory COUNT=$count DEPTH=$depth agree
./judge_test.sh
