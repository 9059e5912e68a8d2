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

# Results are the same on every compiler only if a * b + c is two roundings everywhere. These flags are for what is
# compiled here and are not handed on: public headers have no inline arithmetic that both sides would share
# (docs/decisions/0023, test digest.no_shared).
# Without -fno-math-errno some square roots are calls of the C library, and MinGW's rounds twice.
add_library(fairlead_result_flags INTERFACE)
if(MSVC)
  target_compile_options(fairlead_result_flags INTERFACE /fp:precise
    $<$<CXX_COMPILER_ID:Clang>:/clang:-ffp-contract=off>)
elseif(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
  target_compile_options(fairlead_result_flags INTERFACE -fno-fast-math -ffp-contract=off -fno-math-errno)
endif()
target_link_libraries(fairlead_warnings INTERFACE fairlead_result_flags)

# Optimized whatever the build type is: an option of FAIRLEAD_OPTIMIZE.
add_library(fairlead_optimized INTERFACE)
if(FAIRLEAD_OPTIMIZE)
  set(plain_type $<NOT:$<CONFIG:Release,RelWithDebInfo,MinSizeRel>>)
  if(MSVC)
    # /O2 and the checks of a debug build exclude each other.
    foreach(name IN ITEMS CMAKE_CXX_FLAGS CMAKE_CXX_FLAGS_DEBUG)
      string(REGEX REPLACE "[/-](RTC[1csu]+|Od|Ob[0-3])" "" ${name} "${${name}}")
    endforeach()
    target_compile_options(fairlead_optimized INTERFACE $<${plain_type}:/O2>)
  else()
    target_compile_options(fairlead_optimized INTERFACE $<${plain_type}:-O3>)
  endif()
endif()

# Every library made here, lowest first.
set(fairlead_libraries)
# And all of them together, for our own programs.
add_library(fairlead_all INTERFACE)

# fairlead_library(<name> MODULES <module>... LINKS <name>...): target fairlead_<name> (fairlead itself for the
# runtime), known to users as fairlead::<name>.
function(fairlead_library name)
  cmake_parse_arguments(ARG "" "" "MODULES;LINKS" ${ARGN})
  set(sources)
  foreach(module IN LISTS ARG_MODULES)
    file(GLOB_RECURSE found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${module}/*.cpp)
    list(APPEND sources ${found})
    # The curves stay apart: their kernels are compiled for two instruction sets.
    if(FAIRLEAD_UNITY AND NOT module STREQUAL "curve")
      set(grouped ${found})
      # clang 14 refuses libc++'s <condition_variable> in a file that has read much else.
      list(FILTER grouped EXCLUDE REGEX "/worker_pool[.]cpp$")
      set_source_files_properties(${grouped} PROPERTIES UNITY_GROUP ${module})
    endif()
  endforeach()
  set(target fairlead_${name})
  if(name STREQUAL "fairlead")
    set(target fairlead)
  endif()

  add_library(${target} STATIC ${sources})
  add_library(fairlead::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON
    UNITY_BUILD ${FAIRLEAD_UNITY} UNITY_BUILD_MODE GROUP)
  if(NOT PROJECT_IS_TOP_LEVEL AND NOT FAIRLEAD_INSTALL)
    set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
  target_compile_features(${target} PUBLIC cxx_std_20)
  # g++ 12 joins neighbouring a * b - c and d * e + f into vfmaddsub all the same (docs/decisions/0002).
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-tree-slp-vectorize>)
  if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang" AND NOT MSVC)
    target_compile_options(${target} PRIVATE -Wconversion -Wpedantic)
  endif()
  set(options fairlead_build_options)
  if(name STREQUAL "formats")
    set(options fairlead_program_options)
  endif()
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:${options}> $<BUILD_INTERFACE:fairlead_optimized>)
  target_include_directories(${target}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${PROJECT_SOURCE_DIR}/src
  )
  # Half of what a small file costs to compile alone. It hides no missing include: tests/tidy/standard.py.
  # clang 14 takes the va_list of a precompiled header for another type than that of <cstdio>.
  if(NOT (FAIRLEAD_UNITY AND CMAKE_CXX_COMPILER_ID MATCHES "Clang"))
    target_precompile_headers(${target} PRIVATE <algorithm> <bit> <cmath> <concepts> <cstdint> <cstring> <limits>
      <memory> <new> <span> <type_traits> <utility>)
  endif()
  foreach(below IN LISTS ARG_LINKS)
    target_link_libraries(${target} PUBLIC fairlead::${below})
  endforeach()
  target_link_libraries(fairlead_all INTERFACE ${target})
  set(fairlead_libraries ${fairlead_libraries} ${name} PARENT_SCOPE)
  set(fairlead_links_${name} ${ARG_LINKS} PARENT_SCOPE)
endfunction()
