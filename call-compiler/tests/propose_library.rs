//! What `call propose` says of calls of functions that the system declares.

use super::propose::{blocks, check};

fn program(body: &str) -> String {
    let declared = "long strlen(char *); char *strncpy(char *, char *, long); int strcmp(char *, char *); \
        void *memchr(void *, int, long); int printf(char *, ...); int snprintf(char *, long, char *, ...); \
        long fread(void *, long, long, void *); long fwrite(void *, long, long, void *); long read(int, void *, long); \
        int usleep(int); int nanosleep(void *, void *); void *realloc(void *, long); double sin(double); float sqrtf(float); \
        int rand(void); void fftw_execute(void *); void *bsearch(void *, void *, long, long, void *); int atoi(char *); long strtol(char *, char **, int);";
    format!(
        "# 1 \"/usr/include/all.h\" 1 3\n{declared}\n# 1 \"x.c\" 2\n\
         static char b[99]; void f(int n, char *s, void *p, double x) {{ {body} }}"
    )
}

/// Of a function that is known to take the same time always nothing is said, of others that it is not counted.
#[test]
fn what_grows_unknown_is_not_counted() {
    for (call, is_constant) in [
        ("strlen(s)", false),
        ("strlen(\"text\")", true),
        ("strcmp(s, \"text\")", true),
        ("strcmp(s, b)", false),
        ("realloc(p, n)", false),
        ("nanosleep(p, 0)", false),
        ("fftw_execute(p)", false),
        ("sin(x)", true),
        ("sqrtf(x)", true),
        ("rand()", true),
        // One number, however long the text behind it is.
        ("atoi(s)", true),
        ("strtol(s, &s, 10)", true),
        ("printf(\"%d of %5.2f %% %ld\\n\", n, x, 3L)", true),
        ("printf(\"%d %\" \"ld\", n, 3L)", true),
        ("printf(\"%s\\n\", s)", false),
        ("printf(\"%d %s\\n\", n, n > 3 ? \"many\" : \"few\")", true),
        ("printf(\"%.9s\\n\", s)", true),
        ("printf(\"%*d\\n\", n, n)", false),
        ("printf(s)", false),
        ("snprintf(b, n, \"%s\", s)", false),
        ("memchr(p, 0, rand())", false),
    ] {
        let found = blocks(&program(&format!("for (int i = 0; i < n; i++) {call};")));
        let said: Vec<&str> = found[0].uncounted.iter().map(|its| its.why.as_str()).collect();
        let expected = match is_constant {
            true => Vec::new(),
            false => vec![format!("`{}`", call.split_once('(').unwrap().0)],
        };
        assert_eq!(said, expected, "{call}");
        assert!(found[0].taken_as_unchanged.is_empty(), "{call}");
    }
}

#[test]
fn work_by_arguments_is_counted() {
    check(&program("strncpy(b, s, 2*n);"), &["= 1", "strncpy ~ 2*n"]);
    check(&program("for (int i = 0; i < n; i++) usleep(i);"), &["= n", "usleep ~ (n*n - n)/2"]);
    check(&program("fwrite(b, 8, n, p);"), &["= 1", "fwrite ~ 8*n"]);
    check(&program("fread(b, 8, n, p);"), &["= 1", "fread < 8*n"]);
    check(&program("for (int i = 0; i < n; i++) read(0, b, n);"), &["= n", "read < n*n"]);
    check(&program("memchr(b, 0, n);"), &["= 1", "memchr < n"]);
    let found = blocks(&program("memchr(b, 0, n);"));
    let statement = found[0].statements.last().unwrap();
    assert_eq!(statement.because[0].why, "`memchr` may end before");
    check(&program("bsearch(p, b, n, 1, s);"), &["= 1", "bsearch ~ log2(n)"]);
    // A function of that name which the system does not declare is another one.
    let own = "void send(int, int, int); void f(int n) { send(1, 2, n); }";
    assert_eq!(blocks(own)[0].uncounted[0].why, "`send`");
}
