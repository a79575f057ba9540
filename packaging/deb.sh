# Read by build.sh.

# package ROOT VERSION ARCHITECTURE FILE: makes a Debian package of an installation below ROOT, as Debian's policy has it.
package() {
    root=$1 documents=$1/usr/share/doc/call-llac
    mv "$root/usr/share/doc/call" "$documents"
    gzip -9n "$root"/usr/share/man/man1/*.1
    cat "$documents/LICENSE-MIT" - "$documents/THIRD-PARTY-LICENCES.txt" >"$documents/copyright" <<'END'

CALL is also under the Apache License 2.0, if you prefer that: /usr/share/common-licenses/Apache-2.0

END
    rm "$documents"/LICENSE-* "$documents/THIRD-PARTY-LICENCES.txt"
    printf 'call-llac (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md in the sources.\n\n -- The CALL maintainers <noreply@localhost>  %s\n' \
        "$2" "$(date -R -u -d "@$SOURCE_DATE_EPOCH")" | gzip -9n >"$documents/changelog.gz"
    size_kb=$(find "$root" -type f -printf '%s\n' | awk '{ bytes += $1 } END { print int((bytes + 1023) / 1024) }')
    mkdir "$root/DEBIAN"
    (cd "$root" && find usr -type f | LC_ALL=C sort | xargs -d '\n' md5sum >DEBIAN/md5sums)
    cat >"$root/DEBIAN/control" <<END
Package: call-llac
Version: $2
Architecture: $3
Maintainer: The CALL maintainers <noreply@localhost>
Installed-Size: $size_kb
Recommends: gcc, libc6-dev
Suggests: gfortran, g++, pkg-config, cmake, libopenmpi-dev, man-db
Section: devel
Priority: optional
Description: performance models of parallel programs
 CALL predicts how long a parallel C program will take on problem sizes,
 numbers of processors and machines that it has not been run on. call
 translates programs with directives into programs that measure, llac fits
 the constants of their formulas and predicts.
 .
 The programs are static; the C runtime is a part of call, and a library.
END
    find "$root" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
    dpkg-deb --root-owner-group -Zxz --build "$root" "$4" >/dev/null
}
