#!/bin/sh
# coqc that does not check again what it has checked before, also in another checkout. It stands in for coqc
# where check.sh is asked for --cached, and is called as CoqMakefile calls coqc.
#
# A result is kept under the hash of all that it depends on: this Coq and its library, the arguments, the text of
# the file, and the compiled files that it requires, byte for byte. It is one file: the hash of a .vo, then the
# .vo. One that does not fit its hash is as good as none. What a file does besides being checked is not kept, so
# Main.v (which prints what the theorems assume) and Extract.v (which writes the detectors) are always run.
set -eu
for file; do :; done # the last argument
case $file in
*.v) ;;
*) exec coqc "$@" ;;
esac
case $file in
Main.v | Extract.v) exec coqc "$@" ;;
esac

hash() { sha256sum | cut -d ' ' -f 1; }

required=$(coqdep -Q . Deadheat "$file" | sed -n "s/^[^:]*\.vo [^:]*: //p" | tr ' ' '\n' | grep '\.vo$' || true)
key=$({
    coqc --version
    sha256sum <"$(coqc -where)/theories/Init/Prelude.vo"
    echo "$@"
    # shellcheck disable=SC2086 # names without spaces
    sha256sum "$file" $required
} | hash)
store=${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/deadheat/proof
kept=$store/$key vo=${file%.v}.vo

if [ -r "$kept" ]; then
    tail -n +2 "$kept" >"$vo.part"
    if [ "$(head -n 1 "$kept")" = "$(hash <"$vo.part")" ]; then
        mv "$vo.part" "$vo"
        touch "$kept" 2>/dev/null || true
        echo "$file: checked before"
        exit
    fi
    rm "$vo.part"
    echo "$file: what is kept of it is damaged"
fi

coqc "$@"

# Whoever cannot keep it has lost nothing. What nobody asked for in a month goes.
part=$store/part.$$
if mkdir -p "$store" 2>/dev/null && { hash <"$vo" && cat "$vo"; } 2>/dev/null >"$part"; then
    mv "$part" "$kept" 2>/dev/null || rm -f "$part"
    find "$store" -type f -mtime +30 -delete 2>/dev/null || true
else
    rm -f "$part" 2>/dev/null || true
fi
