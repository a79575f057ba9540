#!/bin/sh
# `make uninstall PREFIX=…`: removes what `make install` has put there, and folders of its own that are empty then.
set -eu
root=${DESTDIR:-}${PREFIX:-/usr/local}
list=$root/share/doc/call/installed
[ -f "$list" ] || { echo "$list is not there: nothing was installed" >&2; exit 1; }
while read -r file; do
    # Folders that were named for themselves do not stand below the prefix.
    case $file in
    /*) rm -f "${DESTDIR:-}$file" ;;
    *) rm -f "$root/$file" ;;
    esac
done <"$list"
rm "$list"
for folder in include/call lib/cmake/CALL share/doc/call; do
    rmdir "$root/$folder" 2>/dev/null || echo "$root/$folder has files of others"
done
echo "removed from $root"
