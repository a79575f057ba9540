"""The projects of the corpus: where they come from, how they are built and tested.

`build` and `test` are shell text, run with `sh -eu` in the unpacked source. Given are CC (the wrapper), JOBS, FLAGS (for the
compiler) and SOURCE (the unpacked source); mpicc calls the wrapper, too.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Project:
    name: str
    package: str  # of Debian
    build: str
    test: str = ""
    # What counts millions of calls is tested with the checking runtime only: the real one keeps every measurement until a report.
    long_test: bool = False
    needs: tuple[str, ...] = ()  # packages of Debian
    note: str = ""
    patches: bool = True  # those of Debian
    unpack: str = ""  # instead of dpkg-source; given is DOWNLOADS
    # Instead of a build: flags for each single C file, and whether to run each as a program.
    sources: str = ""
    execute: bool = False


PROJECTS = [
    Project(
        "zlib",
        "zlib",
        build='CFLAGS="$FLAGS" ./configure --static && make -j$JOBS',
        test="make test",
    ),
    Project(
        "bzip2",
        "bzip2",
        build='make -j$JOBS CC="$CC" CFLAGS="$FLAGS -D_FILE_OFFSET_BITS=64" libbz2.a bzip2 bzip2recover',
        test='make check CC="$CC" || make test CC="$CC"',
    ),
    Project(
        "lz4",
        "lz4",
        build='make -j$JOBS CC="$CC" CFLAGS="$FLAGS" lz4 && make -j$JOBS -C tests CC="$CC" CFLAGS="$FLAGS" fuzzer frametest datagen',
        test="cd tests && ./fuzzer -i30 -s1 && ./frametest -i30 -s1 && ./datagen -g1M | ../lz4 -9 | ../lz4 -t",
        long_test=True,
    ),
    Project(
        "lua",
        "lua5.4",
        build="""
            cd src && $CC -std=gnu99 $FLAGS -DLUA_USE_LINUX -DLUA_COMPAT_5_3 $(ls *.c | grep -v luac.c) -Wl,-E -o lua -lm -ldl
        """,
        test="""
            src/lua -v
            src/lua -e 'local t = {} for i = 1, 20000 do t[i] = i * 7 % 1000 end table.sort(t)
                assert(t[1] == 0 and not pcall(error, "x") and ("abc"):rep(3):gsub("b", "%0%0") == "abbcabbcabbc")
                local co = coroutine.wrap(function() for i = 1, 100 do coroutine.yield(i) end end)
                for i = 1, 100 do assert(co() == i) end'
        """,
        patches=False,
        note="its test suite is not in the package: a script of ours with errors (longjmp) and coroutines",
    ),
    Project(
        "zstd",
        "libzstd",
        build="""
            make -j$JOBS -C programs CC="$CC" MOREFLAGS="$FLAGS" CFLAGS= ZSTD_NO_ASM=1 zstd
            make -j$JOBS -C tests CC="$CC" MOREFLAGS="$FLAGS" CFLAGS= ZSTD_NO_ASM=1 fuzzer
        """,
        test="""
            cd tests && ./fuzzer -i2 -s1 && ../programs/zstd -b3i0 ../lib/compress/zstd_compress.c
            ../programs/zstd -T2 -f ../lib/compress/zstd_compress.c -o x.zst && ../programs/zstd -dc x.zst | cmp - ../lib/compress/zstd_compress.c
        """,
        long_test=True,
    ),
    Project(
        "sqlite",
        "sqlite3",
        build="""
            ./configure --disable-tcl --disable-readline --disable-shared CFLAGS="$FLAGS -DSQLITE_ENABLE_FTS5 -DSQLITE_ENABLE_RTREE"
            make -j$JOBS sqlite3 fuzzcheck mptester
        """,
        test="""
            ./fuzzcheck --limit-mem 100M test/fuzzdata5.db test/fuzzdata8.db
            ./sqlite3 :memory: 'CREATE TABLE t(a, b); INSERT INTO t VALUES (1, 2); SELECT sum(a + b) FROM t' | grep -qx 3
        """,
        long_test=True,
        needs=("tcl",),
        note="all of the library is one file of 8 MB; two of the eight fuzz data bases",
    ),
    Project(
        "p4est",
        "p4est",
        build="""
            ./bootstrap
            ./configure --enable-mpi --disable-shared --without-blas CC=mpicc CFLAGS="$FLAGS"
            make -j$JOBS && make -j$JOBS check TESTS=
        """,
        test="cd test && for program in p4est_test_balance p4est_test_ghost p4est_test_valid p8est_test_ghost; do mpirun -n 2 ./$program; done",
        needs=("gfortran", "autoconf", "automake", "libtool", "libopenmpi-dev", "openmpi-bin", "zlib1g-dev"),
        long_test=True,
        note="MPI",
    ),
    Project(
        "hypre",
        "hypre",
        build="""
            cd src && ./configure --with-MPI CC=mpicc CFLAGS="$FLAGS -Wno-unused-parameter"
            sed -i 's/-O2//' config/Makefile.config
            make -j$JOBS all && make -C test -j$JOBS ij struct
        """,
        test="""
            cd src/test && mpirun -n 2 ./ij -n 12 12 12 -solver 1 | grep 'Final Relative Residual'
            mpirun -n 2 ./struct -n 8 8 8 -P 2 1 1 -solver 10
        """,
        long_test=True,
        needs=("gfortran", "libopenmpi-dev", "openmpi-bin"),
        note="MPI",
    ),
    Project(
        "fftw",
        "fftw3",
        build="""
            CC="$CC" ./configure --disable-fortran --disable-shared CFLAGS="$FLAGS"
            make -j$JOBS
        """,
        test="cd tests && ./bench -y 64 && ./bench -y 30x12 && ./bench -y r77 && ./bench -y ok10bx8",
    ),
    Project(
        "gsl",
        "gsl",
        build="""
            CC="$CC" ./configure --disable-shared CFLAGS="$FLAGS"
            make -C gsl
            for part in sys test utils err const complex block vector matrix permutation ieee-utils min roots fft specfunc linalg \
                blas cblas eigen ode-initval2 integration interpolation; do make -j$JOBS -C $part; done
        """,
        test="for part in vector complex permutation; do make -C $part check; done",
        long_test=True,
        note="20 of its 60 folders",
    ),
    Project(
        "git",
        "git",
        build="""
            make -j$JOBS CC="$CC" CFLAGS="$FLAGS -Wno-unused-parameter" NO_OPENSSL=1 NO_CURL=1 NO_EXPAT=1 NO_TCLTK=1 NO_GETTEXT=1 \
                NO_PERL=1 NO_PYTHON=1 all
        """,
        test="cd t && export TEST_NO_MALLOC_CHECK=1 && for script in t0000-basic t1300-config t4000-diff-format; do sh ./$script.sh -i; done",
        long_test=True,
    ),
    Project(
        "cjson",
        "cjson",
        build='make -j$JOBS CC="$CC -std=c89" cJSON_test && for file in tests/*.c; do $CC -Itests/unity/src -I. -c -o x.o $file; done',
        test="./cJSON_test",
        note="with its own flags: C90 and -pedantic-errors",
    ),
    Project(
        "nginx",
        "nginx",
        build="""
            ./configure --with-cc="$CC" --with-http_ssl_module --with-http_v2_module --with-stream --with-mail --with-threads \
                --with-http_dav_module --with-http_secure_link_module --with-http_slice_module
            make -j$JOBS
        """,
        test="objs/nginx -t -p . -c conf/nginx.conf 2>&1 | grep 'syntax is ok'",
        needs=("libpcre2-dev", "libssl-dev", "zlib1g-dev"),
        note="with its own flags: -Werror",
    ),
    Project(
        "redis",
        "redis",
        build="make -C src -j$JOBS CC=$CC MALLOC=libc BUILD_WITH_SYSTEMD=no redis-server redis-cli redis-benchmark",
        test="src/redis-server --version && src/redis-cli --version",
        patches=False,
    ),
    Project(
        "busybox",
        "busybox",
        build="""
            make defconfig HOSTCC=cc
            sed -i -e 's/.*CONFIG_TC[ =].*/# CONFIG_TC is not set/' .config
            make -j$JOBS CC="$CC" HOSTCC=cc SKIP_STRIP=y busybox_unstripped
        """,
        test="./busybox_unstripped sh -c 'for k in 3 1 2; do echo $k; done | sort | md5sum' | ./busybox_unstripped wc",
        note="with its own flags: -Wdeclaration-after-statement, -Wshadow",
    ),
    Project(
        "curl",
        "curl",
        build="""
            CC="$CC" ./configure --disable-shared --without-ssl --enable-debug --disable-curldebug --without-libpsl --disable-ldap
            make -j$JOBS -C lib && make -j$JOBS -C src
        """,
        test="src/curl --version",
        note="with its own flags: --enable-debug warns of much",
    ),
    Project(
        "musl",
        "musl",
        build='CC="$CC" ./configure --disable-shared --enable-warnings && make -j$JOBS lib/libc.a',
        note="no tests: it would have to measure itself",
    ),
    Project(
        "postgresql",
        "postgresql-15",
        build="""
            CC="$CC" ./configure --without-readline --without-zlib
            make -C src/backend generated-headers && make -j$JOBS -C src/common && make -j$JOBS -C src/port
            make -j$JOBS -C src/backend && make -j$JOBS -C src/interfaces/libpq && make -j$JOBS -C src/bin/pg_dump
        """,
        test="src/backend/postgres --version",
        patches=False,
        needs=("bison", "flex"),
        note="server, libpq and pg_dump",
    ),
    Project(
        "suitesparse",
        "suitesparse",
        build="""
            for part in SuiteSparse_config AMD BTF CAMD CCOLAMD COLAMD CXSparse KLU LDL RBio CHOLMOD UMFPACK; do
                make -C $part -j$JOBS library CC="$CC" CXX="$CC" CF="-O1 -Wall -Wextra -fPIC -fopenmp -DNPARTITION" BLAS=-lblas LAPACK=-llapack CUDA=no
            done
        """,
        needs=("libblas-dev", "liblapack-dev", "libmetis-dev", "gfortran"),
        note="without GraphBLAS",
    ),
    Project(
        "petsc",
        "petsc",
        build="""
            ./configure --with-mpi=0 --with-fc=0 --with-cxx=0 --with-cc="$CC" --with-x=0 --with-debugging=1 PETSC_ARCH=call --with-make-np=$JOBS
            make -j$JOBS PETSC_DIR=$PWD PETSC_ARCH=call libs
        """,
        patches=False,
        needs=("libblas-dev", "liblapack-dev"),
        note="with its uniprocessor MPI",
    ),
    Project(
        "gcc",
        "gcc-12",
        unpack="""
            tar -xzOf "$DOWNLOADS"/gcc-12_*.orig.tar.gz --wildcards '*/gcc-12*.tar.xz' |
                tar -xJ --strip-components=5 --wildcards 'gcc-12*/gcc/testsuite/gcc.c-torture/execute/*.c'
        """,
        build="",
        sources="-w -O1 -fwrapv -fno-strict-aliasing -lm",
        execute=True,
        note="the programs of gcc.c-torture/execute: each must do the same with instrumentation as without",
    ),
]

BY_NAME = {project.name: project for project in PROJECTS}
