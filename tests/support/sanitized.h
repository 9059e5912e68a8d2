// FAIRLEAD_SANITIZED: 1 where a sanitizer of g++ or clang watches memory or threads.

#pragma once

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define FAIRLEAD_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define FAIRLEAD_SANITIZED 1
#endif
#endif

#ifndef FAIRLEAD_SANITIZED
#define FAIRLEAD_SANITIZED 0
#endif
