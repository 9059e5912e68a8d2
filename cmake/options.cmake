# What is built. In a tree of its own that is everything whose packages are there; below another project the
# libraries alone, each only if it is linked. What is left out for want of a package is said; what is asked for with
# -D...=ON and cannot be had is an error.

# fairlead_option(<name> <text> <default> <package>...): a default that is ON needs the packages.
function(fairlead_option name text default)
  set(missing)
  set(asked OFF)
  if(DEFINED ${name})
    set(asked ${${name}})
  endif()
  if(asked OR (default AND NOT DEFINED ${name}))
    foreach(package IN LISTS ARGN)
      find_package(${package} QUIET)
      if(NOT ${package}_FOUND)
        list(APPEND missing ${package})
      endif()
    endforeach()
  endif()
  list(JOIN missing ", " names)
  if(missing AND asked)
    message(FATAL_ERROR "fairlead: ${name} is ON, but these packages were not found: ${names}. "
      "README.md and docs/building.md say what to install; -D${name}=OFF builds without.")
  elseif(missing)
    message(STATUS "fairlead: ${text}: not built, for want of ${names}. -D${name}=ON insists.")
    set(${name} OFF PARENT_SCOPE)
  else()
    option(${name} "${text}" ${default})
  endif()
endfunction()

fairlead_option(FAIRLEAD_BUILD_FORMATS "fairlead::formats, the file readers" ON ZLIB)
fairlead_option(FAIRLEAD_BUILD_TOOLS "The command line program" ${PROJECT_IS_TOP_LEVEL} ZLIB fmt CLI11)
# The tests of the tools need the tools.
set(tests_by_default OFF)
if(PROJECT_IS_TOP_LEVEL AND FAIRLEAD_BUILD_TOOLS)
  set(tests_by_default ON)
endif()
fairlead_option(FAIRLEAD_BUILD_TESTS "The unit tests and campaigns" ${tests_by_default} GTest Python3)
option(FAIRLEAD_BUILD_DIGEST "Build the program that prints the digests of fixed scenes" ${FAIRLEAD_BUILD_TESTS})
option(FAIRLEAD_BUILD_EXAMPLES "Build the examples" ${PROJECT_IS_TOP_LEVEL})
fairlead_option(FAIRLEAD_BUILD_WINDOW "The example in a window" ${FAIRLEAD_BUILD_EXAMPLES} SDL2)
option(FAIRLEAD_BUILD_FUZZERS "Build the libFuzzer programs (needs clang)" OFF)
option(FAIRLEAD_INSTALL "Make the install target" ${PROJECT_IS_TOP_LEVEL})
option(FAIRLEAD_UNITY "Compile each folder of src/ as one file: the library in a fifth of the time" ON)
option(FAIRLEAD_WERROR "Treat warnings as errors" OFF)
set(FAIRLEAD_SANITIZE "" CACHE STRING "Value of -fsanitize= for everything built here, for example address,undefined")

# A game's debug build wants its own code unoptimized, not its pathfinder: four times slower and no easier to debug.
set(optimize_by_default ON)
if(PROJECT_IS_TOP_LEVEL)
  set(optimize_by_default OFF)
  # An empty build type means -O0 without debug symbols: nobody wants that.
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
  endif()
endif()
option(FAIRLEAD_OPTIMIZE "Optimize the libraries in build types that do not, Debug and none" ${optimize_by_default})
