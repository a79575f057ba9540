//! Keywords by what they can start.

pub fn is_type(word: &[u8]) -> bool {
    matches!(
        word,
        b"void"
            | b"char"
            | b"short"
            | b"int"
            | b"long"
            | b"float"
            | b"double"
            | b"signed"
            | b"unsigned"
            | b"_Bool"
            | b"_Complex"
            | b"struct"
            | b"union"
            | b"enum"
            | b"typeof"
            | b"__typeof__"
            | b"__typeof"
            | b"__signed__"
            | b"__signed"
            | b"__complex__"
            | b"__complex"
            | b"_Float16"
            | b"_Float32"
            | b"_Float64"
            | b"_Float128"
            | b"_Float32x"
            | b"_Float64x"
            | b"_Decimal32"
            | b"_Decimal64"
            | b"_Decimal128"
            | b"__int128"
            | b"_BitInt"
            | b"bool"
            | b"_Atomic"
            | b"__builtin_va_list"
            | b"_Imaginary"
            | b"__auto_type"
            | b"typeof_unqual"
            | b"__typeof_unqual__"
            | b"__float128"
            | b"__int128_t"
            | b"__uint128_t"
            | b"__float80"
    )
}

/// Storage classes, qualifiers and function specifiers.
pub fn is_qualifier(word: &[u8]) -> bool {
    matches!(
        word,
        b"static"
            | b"extern"
            | b"register"
            | b"auto"
            | b"typedef"
            | b"inline"
            | b"__inline"
            | b"__inline__"
            | b"const"
            | b"__const"
            | b"__const__"
            | b"volatile"
            | b"__volatile__"
            | b"__volatile"
            | b"_Noreturn"
            | b"_Thread_local"
            | b"__thread"
            | b"restrict"
            | b"__restrict"
            | b"__restrict__"
            | b"constexpr"
            | b"thread_local"
    )
}

/// Words that start a statement, and operators that look like functions.
pub fn is_statement(word: &[u8]) -> bool {
    matches!(
        word,
        b"if"
            | b"else"
            | b"while"
            | b"for"
            | b"do"
            | b"switch"
            | b"case"
            | b"default"
            | b"return"
            | b"goto"
            | b"break"
            | b"continue"
            | b"sizeof"
            | b"_Alignof"
            | b"_Generic"
            | b"__alignof__"
    )
}
