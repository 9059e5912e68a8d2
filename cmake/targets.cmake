# How the library's targets are made.

# What every target built here is compiled with, tests and tools included.
add_library(fairlead_warnings INTERFACE)
add_library(fairlead_build_options INTERFACE)
target_link_libraries(fairlead_build_options INTERFACE fairlead_warnings)
if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang" AND NOT MSVC)
  target_compile_options(fairlead_warnings INTERFACE
    -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wcast-align -Wunused
    $<$<BOOL:${FAIRLEAD_WERROR}>:-Werror>
    # g++ 12 sees overruns in std::string's own code (GCC bug 105329 and kin): a warning, not an error.
    $<$<CXX_COMPILER_ID:GNU>:-Wno-error=array-bounds>
    $<$<CXX_COMPILER_ID:GNU>:-Wno-error=stringop-overflow>
    $<$<CXX_COMPILER_ID:GNU>:-Wno-error=restrict>
    $<$<CXX_COMPILER_ID:GNU>:-Wno-error=maybe-uninitialized>
  )
  if(FAIRLEAD_SANITIZE)
    target_compile_options(fairlead_build_options INTERFACE
      -fsanitize=${FAIRLEAD_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(fairlead_build_options INTERFACE -fsanitize=${FAIRLEAD_SANITIZE})
  endif()
endif()

# At -O3, g++ 12 warns of overruns inside its own inlined std::string, where there are none. The runtime has no strings
# and keeps these warnings; what has strings goes without, and has the sanitizers.
add_library(fairlead_string_options INTERFACE)
target_compile_options(fairlead_string_options INTERFACE
  $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread>
)
add_library(fairlead_program_options INTERFACE)
target_link_libraries(fairlead_program_options INTERFACE fairlead_build_options fairlead_string_options)
# The code of the tools runs over a sanitized library, but is not sanitized itself: others' headers are most of it, and took
# most of the sanitizer build's time.
add_library(fairlead_tool_options INTERFACE)
target_link_libraries(fairlead_tool_options INTERFACE fairlead_warnings fairlead_string_options)

# Results are the same on every compiler only if a * b + c is two roundings everywhere. Users need the flag too
# where a public template computes, so it is part of the interface.
set(FAIRLEAD_RESULT_FLAGS
  $<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>:-ffp-contract=off>
  $<$<COMPILE_LANG_AND_ID:CXX,MSVC>:/fp:precise>
)

# fairlead_library(<name> <module>...): target fairlead_<name> (fairlead itself for the runtime), known to users as
# fairlead::<name>. No target when none of the modules has a source file.
function(fairlead_library name)
  set(sources)
  foreach(module IN LISTS ARGN)
    file(GLOB_RECURSE found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${module}/*.cpp)
    list(APPEND sources ${found})
    # The curves stay apart: their kernels are compiled for two instruction sets.
    if(FAIRLEAD_UNITY AND NOT module STREQUAL "curve")
      set_source_files_properties(${found} PROPERTIES UNITY_GROUP ${module})
    endif()
  endforeach()
  if(NOT sources)
    return()
  endif()
  set(target fairlead_${name})
  if(name STREQUAL "fairlead")
    set(target fairlead)
  endif()

  add_library(${target} STATIC ${sources})
  add_library(fairlead::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON
    UNITY_BUILD ${FAIRLEAD_UNITY} UNITY_BUILD_MODE GROUP)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_compile_options(${target} PUBLIC ${FAIRLEAD_RESULT_FLAGS})
  # g++ 12 joins neighbouring a * b - c and d * e + f into vfmaddsub all the same (docs/decisions/0002).
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-tree-slp-vectorize>)
  if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    target_compile_options(${target} PRIVATE -Wconversion)
  endif()
  set(options fairlead_build_options)
  if(name STREQUAL "formats")
    set(options fairlead_program_options)
  endif()
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:${options}>)
  target_include_directories(${target}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${PROJECT_SOURCE_DIR}/src
  )
  # Half of what a small file costs to compile alone. The clang preset builds without it and so sees a missing include.
  target_precompile_headers(${target} PRIVATE <algorithm> <bit> <cmath> <concepts> <cstdint> <cstring> <limits>
    <memory> <new> <span> <type_traits> <utility>)
  if(NOT name STREQUAL "fairlead")
    target_link_libraries(${target} PUBLIC fairlead)
  endif()
endfunction()
