// What the library asks of a compiler, and what it may know about it. Every public header reaches this file.
// Flags for floating-point numbers are the caller's own business, but for exact_floats.h.
#pragma once

#include <climits>

#if !(__cplusplus >= 202002L || (defined(_MSVC_LANG) && _MSVC_LANG >= 202002L))
#error "fairlead is written in C++20: build with -std=c++20 (Visual C++: /std:c++20)"
#endif

static_assert(CHAR_BIT == 8, "fairlead: bytes have 8 bits");

// FAIRLEAD_INLINE: public functions with arithmetic in them, so that each object has its own, made by its own flags. An
// ordinary inline function exists once in a program, and the linker may take the caller's, made with -ffast-math.
#if defined(__GNUC__) || defined(__clang__)
#define FAIRLEAD_INLINE inline __attribute__((always_inline))
#define FAIRLEAD_NOINLINE __attribute__((noinline))
#define FAIRLEAD_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define FAIRLEAD_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define FAIRLEAD_PREFETCH(address) __builtin_prefetch(address)
#else
#if defined(_MSC_VER)
#define FAIRLEAD_INLINE __forceinline
#else
#define FAIRLEAD_INLINE inline
#endif
#define FAIRLEAD_NOINLINE
#define FAIRLEAD_LIKELY(condition) (condition)
#define FAIRLEAD_UNLIKELY(condition) (condition)
#define FAIRLEAD_PREFETCH(address) ((void)(address))
#endif

// Vectors of the compiler's own: + - * / and comparisons of several numbers at once, each rounded as the single one is.
#if defined(__GNUC__) && !defined(FAIRLEAD_PLAIN_LANES)
#define FAIRLEAD_VECTOR(bytes) __attribute__((vector_size(bytes)))
#endif

// Code between AVX2_BEGIN and AVX2_END may use AVX2 and is called where has_avx2() says so. Fused multiply-add is another
// feature of the processor and stays off.
#if defined(FAIRLEAD_VECTOR) && defined(__x86_64__)
#define FAIRLEAD_AVX2 1
#define FAIRLEAD_CRC32C(crc, word) \
    __builtin_ia32_crc32di(crc, word)  // CRC-32C of 8 bytes, every processor with AVX2 has it
#if defined(__clang__)
#define FAIRLEAD_AVX2_BEGIN \
    _Pragma("clang attribute push(__attribute__((target(\"avx2\"))), apply_to = function)")
#define FAIRLEAD_AVX2_END _Pragma("clang attribute pop")
#else
#define FAIRLEAD_AVX2_BEGIN _Pragma("GCC push_options") _Pragma("GCC target(\"avx2\")")
#define FAIRLEAD_AVX2_END _Pragma("GCC pop_options")
#endif
namespace fairlead::detail {
inline bool has_avx2() { return __builtin_cpu_supports("avx2") != 0; }
}  // namespace fairlead::detail
#endif
