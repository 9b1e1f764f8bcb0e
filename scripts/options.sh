#!/bin/sh
# Writes the manual's lists of run-time options, from the tables that make them.
#   options.sh OPTIONS.DEF OPTIONS_TSAN.DEF
set -eu
field='s/^DH_OPTION(\([a-z_]*\), \([A-Z]*\), \(.*\), "\(.*\)")$/\1|\2|\3|\4/p'
printf '.Bl -tag -width Ds\n'
sed -n "$field" "$1" | while IFS='|' read -r name kind initial help; do
    case $kind in
        BOOL) [ "$initial" = true ] && initial=1 || initial=0 ;;
        TEXT) initial=$(printf '%s' "$initial" | tr -d '"') ;;
    esac
    printf '.It Cm %s\n%s' "$name" "$help" | sed 's/`\([^`]*\)`/\1/g'
    if [ -n "$initial" ]; then printf '.\nDefault: %s.\n' "$initial"; else printf '.\n'; fi
done
printf '.El\n.Pp\nThese options of ThreadSanitizer are taken, have no effect, and say so:\n'
sed -n 's/^DH_TSAN_OPTION(\([a-z0-9_]*\), .*$/\1/p' "$2" | tr '\n' ' ' | sed 's/ $//; s/ /, /g' | fold -s -w 100 \
    | sed 's/ $//'
printf '.\n'
