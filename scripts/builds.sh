#!/bin/sh
# Builds a tree with equal stems, one source under three flags, and a generated source and header, again and again: each
# program has to have all experiments, a second build nothing to do, and cleaning leaves what it leaves without `call`.
#
#     scripts/builds.sh [ROUNDS [WAY…]]     default: 50 rounds of make, ninja, autotools and ccache each
#
# `call` is the one of CALL, else of the path.
set -eu

rounds=${1:-50}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- make ninja autotools ccache
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin"
# Under its name, and the one word that CMake wants.
ln -s "$(command -v "${CALL:-call}")" "$folder/bin/call"
ln -s call "$folder/bin/call-cc"
PATH=$folder/bin:$PATH

fail() {
    echo "builds: $*" >&2
    exit 1
}

sources() {
    mkdir -p "$1/a" "$1/b" "$1/kern"
    cd "$1"
    for letter in a b; do
        printf 'int %s(int n);\n#define OF_%s 1\n' $letter $letter >$letter/util.h
        printf '#include "util.h"\nint %s(int n)\n{\n#pragma cll %s %s[0]*n\n    n += OF_%s;\n#pragma cll end %s\n    return n;\n}\n' \
            $letter $letter $letter $letter $letter >$letter/util.c
    done
    echo '#define NOTHING 0' >kern/kern.h
    cat >kern/kern.c <<'C'
#include "kern.h"
#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
int JOIN(kern, KERN)(int n);
int JOIN(kern, KERN)(int n)
{
#pragma cll kern kern[0]*n
    n += KERN;
#pragma cll end kern
#if KERN > 1
#pragma cll more more[0]*n
    n++;
#pragma cll end more
#endif
    return n + NOTHING;
}
C
    cat >main.c <<'C'
#include "sizes.h"
int a(int), b(int), kern1(int), kern2(int), kern3(int), made(int);
int main(void)
{
    int n = a(SIZE) + b(1) + kern1(1) + kern2(1) + kern3(1) + made(1);
#pragma cll report all
    return n == 23 ? 0 : n;
}
C
    cat >generate.sh <<'SH'
#!/bin/sh
case $1 in
*.h) echo '#define SIZE 4' ;;
*.c) printf '%s\n' '#include "sizes.h"' 'int made(int n);' 'int made(int n)' '{' '#pragma cll made made[0]*n' '    n += SIZE;' \
    '#pragma cll end made' '    return n;' '}' ;;
esac >"$1"
SH
    chmod +x generate.sh
}

# How each way prepares a folder with the compiler $compiler, builds, and cleans it; the program is `prog`.

prepare_make() {
    cat >Makefile <<'MAKE'
CFLAGS = -O1 -MMD -MP -Wall -Wextra -Wno-unknown-pragmas -Igen
OBJECTS = obj/main.o obj/a-util.o obj/b-util.o obj/kern1.o obj/kern2.o obj/kern3.o obj/made.o
prog: $(OBJECTS)
	$(CC) -o $@ $(OBJECTS)
obj/main.o: main.c gen/sizes.h | obj
	$(CC) $(CFLAGS) -c -o $@ $<
obj/a-util.o: a/util.c | obj
	$(CC) $(CFLAGS) -c -o $@ $<
obj/b-util.o: b/util.c | obj
	$(CC) $(CFLAGS) -c $< -o $@
obj/kern%.o: kern/kern.c | obj
	$(CC) $(CFLAGS) -DKERN=$* -c -o $@ $<
obj/made.o: gen/made.c gen/sizes.h | obj
	$(CC) $(CFLAGS) -c -o $@ $<
gen/%: main.c | gen
	./generate.sh $@
obj gen:
	mkdir $@
clean:
	rm -f prog obj/*.o obj/*.d gen/*
-include $(wildcard obj/*.d)
MAKE
}
build_make() { make -j4 CC="$compiler"; }
clean_make() { make clean; }

prepare_ccache() { prepare_make; }
build_ccache() { make -j4 CC="$compiler"; }
clean_ccache() { make clean; }

prepare_ninja() {
    cat >CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.16)
project(tree C)
include_directories(${CMAKE_BINARY_DIR}/gen)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/gen)
foreach(file sizes.h made.c)
  add_custom_command(OUTPUT gen/${file} COMMAND ${CMAKE_SOURCE_DIR}/generate.sh gen/${file} DEPENDS main.c)
endforeach()
foreach(k 1 2 3)
  add_library(kern${k} OBJECT kern/kern.c)
  target_compile_definitions(kern${k} PRIVATE KERN=${k})
  list(APPEND kerns $<TARGET_OBJECTS:kern${k}>)
endforeach()
add_executable(prog main.c a/util.c b/util.c gen/made.c gen/sizes.h ${kerns})
CMAKE
    mkdir build
    cd build
    # The compiler in one word, as CMake wants it.
    cmake -G Ninja -DCMAKE_C_COMPILER="$one_word" ..
}
build_ninja() { ninja -j4; }
clean_ninja() { ninja clean; }

prepare_autotools() {
    printf '%s\n' 'AC_INIT([tree], [1])' 'AM_INIT_AUTOMAKE([foreign subdir-objects])' 'AC_PROG_CC' 'AC_PROG_RANLIB' 'AM_PROG_AR' \
        'AC_CONFIG_FILES([Makefile])' 'AC_OUTPUT' >configure.ac
    cat >Makefile.am <<'AM'
AM_CPPFLAGS = -I.
bin_PROGRAMS = prog
noinst_LIBRARIES = libkern1.a libkern2.a libkern3.a
libkern1_a_SOURCES = kern/kern.c
libkern1_a_CPPFLAGS = -DKERN=1
libkern2_a_SOURCES = kern/kern.c
libkern2_a_CPPFLAGS = -DKERN=2
libkern3_a_SOURCES = kern/kern.c
libkern3_a_CPPFLAGS = -DKERN=3
prog_SOURCES = main.c a/util.c b/util.c
nodist_prog_SOURCES = made.c
prog_LDADD = libkern1.a libkern2.a libkern3.a
BUILT_SOURCES = sizes.h
CLEANFILES = sizes.h made.c
sizes.h made.c: $(srcdir)/main.c
	$(srcdir)/generate.sh $@
AM
    autoreconf -fi
    mkdir build
    cd build
    ../configure CC="$compiler"
}
build_autotools() { make -j4; }
clean_autotools() { make clean; }

list() { find "$1" -type f ! -path '*/.ninja_*' ! -path '*/CMakeFiles/*' ! -name '*.log' | sed "s|^$1/||" | sort; }

expected='1 a
1 b
3 kern
1 made
2 more'

# What a way leaves behind, built with one compiler for some rounds; with `call` each is looked at.
try() {
    way=$1
    compiler=$2
    one_word=$3
    tree=$folder/$way-$4
    sources "$tree"
    "prepare_$way" >"$folder/log" 2>&1 || { cat "$folder/log"; fail "$way: cannot be prepared"; }
    round=0
    while [ "$round" -lt "$5" ]; do
        round=$((round + 1))
        "clean_$way" >"$folder/log" 2>&1
        "build_$way" >"$folder/log" 2>&1 || { cat "$folder/log"; fail "$way, round $round: does not build"; }
        ! grep -q 'warning:' "$folder/log" || { cat "$folder/log"; fail "$way, round $round: warnings"; }
        "build_$way" >"$folder/log" 2>&1
        grep -qE 'up to date|no work to do|Nothing to be done' "$folder/log" || { cat "$folder/log"; fail "$way, round $round: a second build does something"; }
        if [ "$4" = call ]; then
            (mkdir "$folder/run" && cd "$folder/run" && CALL_QUIET=1 "$OLDPWD/prog") || fail "$way, round $round: the program fails"
            found=$(sed -n '/^experiment /,$p' "$folder"/run/*.call.0.dat | grep -v -e '^#' -e '^experiment ' | cut -d ' ' -f 1 | sort | uniq -c | sed 's/^ *//')
            [ "$found" = "$expected" ] || fail "$way, round $round: measured $found"
            rm -r "$folder/run"
        fi
    done
    "clean_$way" >"$folder/log" 2>&1
    list "$tree" >"$folder/left-$4"
}

for way; do
    with=gcc
    instrumented="call cc gcc"
    if [ "$way" = ccache ]; then
        with="ccache gcc"
        instrumented="call cc ccache gcc"
        CCACHE_DIR=$folder/ccache
        export CCACHE_DIR
    fi
    try "$way" "$with" gcc plain 1
    try "$way" "$instrumented" call-cc call "$rounds"
    cmp "$folder/left-plain" "$folder/left-call" || fail "$way: cleaning leaves what it does not leave without call"
    echo "$way: $rounds builds"
done
