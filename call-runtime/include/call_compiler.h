/* call_compiler.h: CLL_COMPILER and CLL_COMPILER_FLAGS say what compiles the file that includes it. */
#ifndef CLL_CALL_COMPILER_H
#define CLL_CALL_COMPILER_H

#ifdef __GNUC__
#pragma GCC system_header
#endif

#define CLL_STRING_OF(...) #__VA_ARGS__
#define CLL_EXPANDED_STRING_OF(...) CLL_STRING_OF(__VA_ARGS__)

#if defined(__clang__)
#define CLL_COMPILER "clang " CLL_EXPANDED_STRING_OF(__clang_major__) "." CLL_EXPANDED_STRING_OF(__clang_minor__) "." CLL_EXPANDED_STRING_OF(__clang_patchlevel__)
#elif defined(__GNUC__)
#define CLL_COMPILER "gcc " CLL_EXPANDED_STRING_OF(__GNUC__) "." CLL_EXPANDED_STRING_OF(__GNUC_MINOR__) "." CLL_EXPANDED_STRING_OF(__GNUC_PATCHLEVEL__)
#else
#define CLL_COMPILER "unknown"
#endif

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CLL_WITH_ADDRESS_SANITIZER 1
#endif
#if __has_feature(thread_sanitizer)
#define CLL_WITH_THREAD_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define CLL_WITH_ADDRESS_SANITIZER 1
#endif
#if defined(__SANITIZE_THREAD__)
#define CLL_WITH_THREAD_SANITIZER 1
#endif

/* `call cflags` hands its flags over as one word with commas; without it the compiler reveals a little. */
#ifdef CLL_FLAGS
#define CLL_COMPILER_FLAGS CLL_EXPANDED_STRING_OF(CLL_FLAGS)
#else
#ifdef __OPTIMIZE__
#define CLL_FLAG_OPTIMISED "optimised"
#else
#define CLL_FLAG_OPTIMISED "not optimised"
#endif
#ifdef __FAST_MATH__
#define CLL_FLAG_FAST_MATH ", fast-math"
#else
#define CLL_FLAG_FAST_MATH ""
#endif
#ifdef CLL_WITH_ADDRESS_SANITIZER
#define CLL_FLAG_ADDRESS ", address sanitizer"
#else
#define CLL_FLAG_ADDRESS ""
#endif
#ifdef CLL_WITH_THREAD_SANITIZER
#define CLL_FLAG_THREAD ", thread sanitizer"
#else
#define CLL_FLAG_THREAD ""
#endif
#define CLL_COMPILER_FLAGS CLL_FLAG_OPTIMISED CLL_FLAG_FAST_MATH CLL_FLAG_ADDRESS CLL_FLAG_THREAD
#endif

#endif
