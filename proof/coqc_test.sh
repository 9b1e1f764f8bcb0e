#!/bin/sh
# coqc.sh takes what was checked before, and only that: nothing damaged, nothing that a change touches.
set -eu
coqc=$(cd "$(dirname "$0")" && pwd)/coqc.sh
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
export XDG_CACHE_HOME="$dir/cache"
fail() { echo "coqc_test: $1"; exit 1; }
check() { "$coqc" -q -Q . Deadheat "$1.v" >"$1.out" 2>&1; }
taken() { check "$1" && grep -q 'checked before$' "$1.out"; }

echo 'Definition two := 2.' >A.v
echo 'From Deadheat Require Import A. Lemma l : two = 2. Proof. reflexivity. Qed.' >B.v
check A && check B || fail "a right proof fails"
rm -- *.vo
taken A && taken B || fail "what was checked is checked again"
coqchk -silent -Q . Deadheat Deadheat.B >chk 2>&1 || fail "what was kept is no proof"

for file in cache/deadheat/proof/*; do truncate -s -1 "$file"; done
! taken A || fail "half a file is taken"
taken A || fail "what was damaged is not replaced"
! taken B || fail "half a file is taken"

echo 'Definition two := 3.' >A.v
check A && ! taken B || fail "a proof is taken although what it is about changed"
echo 'Definition two := 2.' >A.v
taken A && taken B || fail "an earlier state is not recognised"
echo 'From Deadheat Require Import A. Lemma l : two = 3. Proof. reflexivity. Qed.' >B.v
! check B || fail "a wrong proof passes"

XDG_CACHE_HOME=/dev/null check A || fail "it does not work where nothing can be kept"
echo "coqc.sh: ok"
