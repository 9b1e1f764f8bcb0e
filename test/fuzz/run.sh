#!/bin/sh
# run.sh DIRECTORY FORM SECONDS: fuzzes the reader of a form with the programs in DIRECTORY. What it finds
# stays there, in found-FORM; inputs that are worth keeping in corpus-FORM.
set -eu
cd "$1"
form=$2
mkdir -p "corpus-$form" "found-$form" "seeds-$form"
./fuzz_seeds "$form" "seeds-$form"
# An input has 16 kB at most: 512 MB is far more than it may lead to.
exec "./fuzz_$form" -max_total_time="$3" -max_len=16384 -timeout=10 -rss_limit_mb=512 -malloc_limit_mb=64 \
    -print_final_stats=1 -verbosity=0 -artifact_prefix="found-$form/" "corpus-$form" "seeds-$form"
