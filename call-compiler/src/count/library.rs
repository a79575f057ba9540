//! What functions of libraries cost that are not in the sources: what grows with an argument, what takes the same time always. Of all others
//! nobody knows.

use lang_c::ast::{CallExpression, Expression};
use lang_c::span::Node;

/// What the time of a call grows with, by the positions of arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LibraryWork {
    /// With the product of these arguments.
    Product(&'static [usize]),
    /// With this product at most: data may end it before.
    AtMost(&'static [usize]),
    /// With `n*log(n)` of an argument.
    Sorting(usize),
    /// With the logarithm of an argument.
    Searching(usize),
}

use LibraryWork::{AtMost, Product, Searching, Sorting};

/// Functions that everybody means the same by, whoever declares them.
const EVERYWHERE: &[(&str, LibraryWork)] = &[
    ("memcpy", Product(&[2])),
    ("memmove", Product(&[2])),
    ("memset", Product(&[2])),
    ("memcmp", Product(&[2])),
    ("bcopy", Product(&[2])),
    ("bzero", Product(&[1])),
    ("calloc", Product(&[0, 1])),
    ("qsort", Sorting(1)),
    ("heapsort", Sorting(1)),
    ("mergesort", Sorting(1)),
];

/// Functions with these names that the system declares.
const OF_SYSTEM: &[(&str, LibraryWork)] = &[
    ("strncpy", Product(&[2])),
    ("fwrite", Product(&[1, 2])),
    ("write", Product(&[2])),
    ("pwrite", Product(&[2])),
    ("usleep", Product(&[0])),
    ("sleep", Product(&[0])),
    ("memchr", AtMost(&[2])),
    ("strncmp", AtMost(&[2])),
    ("strncasecmp", AtMost(&[2])),
    ("strnlen", AtMost(&[1])),
    ("strndup", AtMost(&[1])),
    ("fread", AtMost(&[1, 2])),
    ("fgets", AtMost(&[1])),
    ("read", AtMost(&[2])),
    ("pread", AtMost(&[2])),
    ("recv", AtMost(&[2])),
    ("send", AtMost(&[2])),
    ("bsearch", Searching(2)),
];

/// Functions that go through a text, with the positions of texts any of which ends that.
const OF_TEXTS: &[(&str, &[usize])] = &[
    ("strlen", &[0]),
    ("strcpy", &[1]),
    ("stpcpy", &[1]),
    ("strcmp", &[0, 1]),
    ("strcasecmp", &[0, 1]),
    ("strdup", &[0]),
    ("strchr", &[0]),
    ("strrchr", &[0]),
    ("puts", &[0]),
    ("fputs", &[0]),
    ("perror", &[0]),
];

/// Functions that print, with the position of the format.
const PRINTING: &[(&str, usize)] = &[
    ("printf", 0),
    ("fprintf", 1),
    ("dprintf", 1),
    ("sprintf", 1),
    ("snprintf", 2),
    ("scanf", 0),
    ("fscanf", 1),
];

/// Functions that take the same time always, but for what memory and files make of it. Those that read a number stop
/// behind it, so a text of many numbers is read by as many calls, and what fits into a number has few digits: with the length of the text, as of
/// `strlen`, each `n = atoi(argv[1])` would make its block unknown.
const CONSTANT: &str = "
    abs labs llabs imaxabs div ldiv lldiv atoi atol atoll atof strtol strtoll strtoul strtoull strtod strtof strtold
    rand srand rand_r random srandom drand48 erand48 lrand48 nrand48 mrand48 jrand48 srand48
    clock time difftime gettimeofday clock_gettime clock_getres times getrusage timespec_get gmtime localtime mktime
    malloc free aligned_alloc posix_memalign memalign alloca valloc mmap
    fopen fdopen fclose fflush fileno setvbuf setbuf feof ferror clearerr fseek fseeko ftell ftello rewind fgetpos fsetpos
    open creat close lseek dup dup2 pipe access isatty
    getc fgetc getchar ungetc putc fputc putchar getc_unlocked putc_unlocked getchar_unlocked putchar_unlocked
    isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit tolower toupper
    __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc __errno_location __error strerror __assert_fail __assert_rtn
    getenv getpid getppid getuid geteuid getpagesize sysconf sched_getcpu gethostname atexit signal raise getrandom
    pthread_self pthread_equal pthread_create pthread_mutex_init pthread_mutex_destroy pthread_mutex_unlock
    pthread_cond_init pthread_cond_destroy pthread_cond_signal pthread_barrier_init pthread_barrier_destroy
    pthread_attr_init pthread_attr_destroy pthread_attr_setdetachstate
    omp_in_parallel omp_set_num_threads omp_set_dynamic omp_set_nested omp_set_schedule omp_set_max_active_levels
    omp_init_lock omp_destroy_lock omp_unset_lock omp_test_lock
";

/// Functions of numbers, which have others for `float` and `long double` beside them.
const MATHEMATICAL: &str = "
    sin cos tan asin acos atan atan2 sincos sinh cosh tanh asinh acosh atanh exp exp2 exp10 expm1 log log2 log10 log1p logb ilogb
    pow sqrt cbrt hypot fabs fmod remainder remquo drem fma fmax fmin fdim floor ceil round trunc rint nearbyint lround llround lrint
    llrint modf frexp ldexp scalb scalbn scalbln copysign nan nextafter nexttoward erf erfc tgamma lgamma gamma j0 j1 y0 y1
    __fpclassify __isnan __isinf __finite __signbit isnan isinf finite
    cabs carg creal cimag conj cexp clog cpow csqrt csin ccos ctan csinh ccosh ctanh casin cacos catan cproj
";

/// The parallel libraries: what their calls cost is said with communication.
const PARALLEL: [&str; 4] = ["MPI_", "bsp_", "cll_", "omp_get_"];

/// What a function costs that grows with its arguments.
pub fn growing(function: &str, is_of_system: bool) -> Option<(&'static str, LibraryWork)> {
    let of_system = if is_of_system { OF_SYSTEM } else { &[] };
    EVERYWHERE.iter().chain(of_system).find(|(name, _)| *name == function).copied()
}

/// Whether it is a function of a library that changes nothing but what it is handed.
pub fn leaves_names(function: &str) -> bool {
    growing(function, false).is_some() || ["MPI_", "bsp_"].iter().any(|prefix| function.starts_with(prefix))
}

/// Whether a call of one of the system's functions takes the same time always. `text_of` tells texts that stand in the source.
pub fn is_constant(
    function: &str,
    call: &CallExpression,
    text_of: &dyn Fn(&Node<Expression>) -> String,
) -> bool {
    let is_among = |names: &str, function: &str| names.split_ascii_whitespace().any(|name| name == function);
    let of_double = function.strip_suffix(['f', 'l']).unwrap_or(function);
    is_among(CONSTANT, function)
        || [function, of_double].iter().any(|name| is_among(MATHEMATICAL, name))
        || PARALLEL.iter().any(|prefix| function.starts_with(prefix))
        || ends_with_text(function, call)
        || prints_little(function, call, text_of)
}

fn ends_with_text(function: &str, call: &CallExpression) -> bool {
    let positions = OF_TEXTS.iter().find(|(name, _)| *name == function).map_or(&[][..], |its| its.1);
    positions.iter().any(|position| call.arguments.get(*position).is_some_and(is_written_out))
}

/// Whether it is a text that stands in the source, or one of two.
fn is_written_out(argument: &Node<Expression>) -> bool {
    match &argument.node {
        Expression::StringLiteral(_) => true,
        Expression::Conditional(choice) => {
            is_written_out(&choice.node.then_expression) && is_written_out(&choice.node.else_expression)
        }
        _ => false,
    }
}

/// Whether a format has no texts but those of the source, and no widths but its own.
fn prints_little(
    function: &str,
    call: &CallExpression,
    text_of: &dyn Fn(&Node<Expression>) -> String,
) -> bool {
    let Some((_, position)) = PRINTING.iter().find(|(name, _)| *name == function) else { return false };
    let is_literal = |argument: &&Node<Expression>| matches!(argument.node, Expression::StringLiteral(_));
    let Some(format) = call.arguments.get(*position).filter(is_literal).map(text_of) else { return false };
    let mut arguments = call.arguments.iter().skip(position + 1);
    let mut rest = format.as_str();
    while let Some((_, behind)) = rest.split_once('%') {
        let is_kind = |letter: char| {
            (letter.is_ascii_alphabetic() && !"hlLqjzt".contains(letter)) || "%[*".contains(letter)
        };
        let Some(end) = behind.find(is_kind) else { return false };
        let is_cut = behind[..end].contains('.');
        let kind = behind.as_bytes()[end];
        let argument = if kind == b'%' { None } else { arguments.next() };
        if matches!(kind, b'*' | b'[')
            || (matches!(kind, b's' | b'S') && !is_cut && !argument.is_some_and(is_written_out))
        {
            return false;
        }
        rest = &behind[end + 1..];
    }
    true
}
