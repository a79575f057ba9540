#!/bin/sh
# `make uninstall PREFIX=…`: removes what `make install` has put there, and folders of its own that are empty then.
set -eu
prefix=${PREFIX:-/usr/local}
root=${DESTDIR:-}${prefix%/}
list=$root/share/doc/call/installed
[ -f "$list" ] || { echo "$list is not there: nothing was installed" >&2; exit 1; }
known=$(cat "$list")
rm "$list"
printf '%s\n' "$known" | while read -r file; do
    # What was named for itself does not stand below the prefix.
    case $file in
    /*) file=${DESTDIR:-}$file ;;
    *) file=$root/$file ;;
    esac
    case $file in
    */) rmdir "$file" 2>/dev/null || echo "$file has files of others" ;;
    *) rm -f "$file" ;;
    esac
done
echo "removed from $root"
