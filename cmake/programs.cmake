# Everything that is a program: the command line tool, tests, campaigns, examples. Each is found by
# its place in the tree (CONTRIBUTING.md says which), so a new file needs no edit here.

# fairlead_program(<target> <folder under bin/> <source>...)
function(fairlead_program target folder)
  add_executable(${target} ${ARGN})
  target_link_libraries(${target} PRIVATE fairlead_all fairlead_program_options)
  set_target_properties(${target} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${folder})
endfunction()

# Links the targets of a list that exist.
function(fairlead_link_present target)
  foreach(library IN LISTS ARGN)
    if(TARGET ${library})
      target_link_libraries(${target} PRIVATE ${library})
    endif()
  endforeach()
endfunction()

# Small worlds of our own making, shared by tests, benchmarks, examples and the command line: scenes/*.{h,cpp},
# included as "scenes/name.h".
file(GLOB scene_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/scenes/*.cpp)
add_library(fairlead_scenes INTERFACE)
if(scene_sources AND (FAIRLEAD_BUILD_TESTS OR FAIRLEAD_BUILD_DIGEST OR FAIRLEAD_BUILD_TOOLS
    OR FAIRLEAD_BUILD_EXAMPLES))
  add_library(fairlead_scene_objects STATIC ${scene_sources})
  target_link_libraries(fairlead_scene_objects PUBLIC fairlead_all PRIVATE fairlead_program_options)
  target_include_directories(fairlead_scene_objects PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(fairlead_scenes INTERFACE fairlead_scene_objects)
endif()
target_include_directories(fairlead_scenes INTERFACE ${PROJECT_SOURCE_DIR})

# The command line program is tools/cli/main.cpp; everything else below tools/ is a library for it and for the tests,
# included as "folder/name.h". So are the suites of measurements, bench/suites/.
add_library(fairlead_tools INTERFACE)
set(tool_folders ${PROJECT_SOURCE_DIR}/tools ${PROJECT_SOURCE_DIR}/bench)
target_include_directories(fairlead_tools INTERFACE ${tool_folders})
if(FAIRLEAD_BUILD_TOOLS)
  file(GLOB_RECURSE tool_sources CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/tools/*.cpp ${PROJECT_SOURCE_DIR}/bench/*.cpp)
  set(cli_main ${PROJECT_SOURCE_DIR}/tools/cli/main.cpp)
  list(FIND tool_sources ${cli_main} cli_main_found)
  list(REMOVE_ITEM tool_sources ${cli_main})
  list(FILTER tool_sources EXCLUDE REGEX "/bench/peers/")
  if(tool_sources)
    find_package(ZLIB REQUIRED)
    find_package(fmt REQUIRED)
    find_package(CLI11 REQUIRED)
    find_package(nlohmann_json 3.9 QUIET)
    find_package(Threads REQUIRED)
    # The commands of the program, two files in all: in each of them the option and JSON libraries cost ten seconds.
    set(command_sources ${tool_sources})
    list(FILTER command_sources INCLUDE REGEX "/tools/cli/")
    list(REMOVE_ITEM tool_sources ${command_sources})
    list(LENGTH command_sources half)
    math(EXPR half "(${half} + 1) / 2")
    add_library(fairlead_commands OBJECT ${command_sources})
    set_target_properties(fairlead_commands PROPERTIES UNITY_BUILD ${FAIRLEAD_UNITY} UNITY_BUILD_BATCH_SIZE ${half})
    # The rest six at a time: more than half of a file's time goes into headers.
    add_library(fairlead_tool_objects STATIC ${tool_sources} $<TARGET_OBJECTS:fairlead_commands>)
    set_target_properties(fairlead_tool_objects PROPERTIES UNITY_BUILD ${FAIRLEAD_UNITY} UNITY_BUILD_BATCH_SIZE 6)
    set(tool_targets fairlead_commands fairlead_tool_objects)
    foreach(target IN LISTS tool_targets)
      target_link_libraries(${target}
        PUBLIC fairlead_all fairlead_scenes fmt::fmt CLI11::CLI11 Threads::Threads ZLIB::ZLIB)
      target_include_directories(${target} PRIVATE ${tool_folders})
      target_compile_definitions(${target} PRIVATE FAIRLEAD_VERSION="${PROJECT_VERSION}")
      target_link_libraries(${target} PRIVATE fairlead_tool_options)
      if(FAIRLEAD_SANITIZE)
        target_compile_options(${target} PRIVATE -O0 -w) # half the time of -O1; g++ tells what there is to warn of
      endif()
      fairlead_link_present(${target} nlohmann_json::nlohmann_json)
    endforeach()
    # Only these two know where the tree lies, so that a compiler cache serves the rest in every checkout.
    set_source_files_properties(${PROJECT_SOURCE_DIR}/bench/suites/suite.cpp PROPERTIES
      COMPILE_DEFINITIONS FAIRLEAD_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    set_source_files_properties(${PROJECT_SOURCE_DIR}/tools/gallery/scenes.cpp PROPERTIES
      COMPILE_DEFINITIONS "FAIRLEAD_SCENES_DIR=\"${PROJECT_SOURCE_DIR}/scenes\";FAIRLEAD_PAGE_FILE=\"${PROJECT_SOURCE_DIR}/build/wasm/web/figure_1.html\"")
    # A peer to measure against; the suites say so where it is not there.
    find_path(FAIRLEAD_BOOST_GRAPH boost/graph/astar_search.hpp PATHS /usr/include NO_DEFAULT_PATH)
    if(FAIRLEAD_BOOST_GRAPH)
      set_source_files_properties(${PROJECT_SOURCE_DIR}/bench/suites/boost_astar.cpp PROPERTIES
        COMPILE_DEFINITIONS FAIRLEAD_HAVE_BOOST)
    endif()
    find_path(FAIRLEAD_OMPL ompl/base/spaces/DubinsStateSpace.h PATHS /usr/include/ompl-1.5 NO_DEFAULT_PATH)
    find_path(FAIRLEAD_EIGEN Eigen/Core PATHS /usr/include/eigen3 NO_DEFAULT_PATH)
    find_library(FAIRLEAD_OMPL_LIBRARY ompl)
    if(FAIRLEAD_OMPL AND FAIRLEAD_EIGEN AND FAIRLEAD_OMPL_LIBRARY)
      set_source_files_properties(${PROJECT_SOURCE_DIR}/bench/suites/ompl_curves.cpp
        ${PROJECT_SOURCE_DIR}/bench/suites/ompl_drive.cpp PROPERTIES
        COMPILE_DEFINITIONS FAIRLEAD_HAVE_OMPL COMPILE_OPTIONS "-isystem${FAIRLEAD_OMPL};-isystem${FAIRLEAD_EIGEN}")
      target_link_libraries(fairlead_tool_objects PUBLIC ${FAIRLEAD_OMPL_LIBRARY})
    endif()
    find_path(FAIRLEAD_OPENVDB openvdb/openvdb.h PATHS /usr/include NO_DEFAULT_PATH)
    find_library(FAIRLEAD_OPENVDB_LIBRARY openvdb)
    find_library(FAIRLEAD_TBB_LIBRARY tbb)
    find_library(FAIRLEAD_IMATH_LIBRARY Imath)
    if(FAIRLEAD_OPENVDB AND FAIRLEAD_OPENVDB_LIBRARY AND FAIRLEAD_TBB_LIBRARY AND FAIRLEAD_IMATH_LIBRARY)
      # Loaded by its suite alone.
      add_library(fairlead_openvdb_band MODULE ${PROJECT_SOURCE_DIR}/bench/peers/openvdb_band.cpp)
      target_compile_options(fairlead_openvdb_band PRIVATE -w)
      target_link_libraries(fairlead_openvdb_band PRIVATE ${FAIRLEAD_OPENVDB_LIBRARY} ${FAIRLEAD_TBB_LIBRARY}
        ${FAIRLEAD_IMATH_LIBRARY})
      set_source_files_properties(${PROJECT_SOURCE_DIR}/bench/suites/openvdb_voxels.cpp PROPERTIES
        COMPILE_DEFINITIONS FAIRLEAD_OPENVDB_PEER="$<TARGET_FILE:fairlead_openvdb_band>")
      target_link_libraries(fairlead_tool_objects PUBLIC ${CMAKE_DL_LIBS})
      add_dependencies(fairlead_tool_objects fairlead_openvdb_band)
    endif()
    find_path(FAIRLEAD_RECAST DetourNavMesh.h PATHS /usr/include/recastnavigation NO_DEFAULT_PATH)
    find_library(FAIRLEAD_RECAST_LIBRARY Recast)
    find_library(FAIRLEAD_DETOUR_LIBRARY Detour)
    find_library(FAIRLEAD_TILE_CACHE_LIBRARY DetourTileCache)
    find_library(FAIRLEAD_DETOUR_CROWD_LIBRARY DetourCrowd)
    if(FAIRLEAD_RECAST AND FAIRLEAD_RECAST_LIBRARY AND FAIRLEAD_DETOUR_LIBRARY AND FAIRLEAD_TILE_CACHE_LIBRARY
        AND FAIRLEAD_DETOUR_CROWD_LIBRARY)
      foreach(peer IN ITEMS recast_field recast_bake detour_set detour_queries detour_crowd tile_cache)
        set_source_files_properties(${PROJECT_SOURCE_DIR}/bench/suites/${peer}.cpp PROPERTIES
          COMPILE_DEFINITIONS FAIRLEAD_HAVE_RECAST COMPILE_OPTIONS "-isystem${FAIRLEAD_RECAST}")
      endforeach()
      target_link_libraries(fairlead_tool_objects PUBLIC
        ${FAIRLEAD_DETOUR_CROWD_LIBRARY} ${FAIRLEAD_TILE_CACHE_LIBRARY} ${FAIRLEAD_DETOUR_LIBRARY} ${FAIRLEAD_RECAST_LIBRARY})
    endif()
    target_link_libraries(fairlead_tools INTERFACE fairlead_tool_objects)
  endif()
  if(NOT cli_main_found EQUAL -1)
    fairlead_program(fairlead_cli "" ${cli_main})
    set_target_properties(fairlead_cli PROPERTIES OUTPUT_NAME fairlead)
    target_link_libraries(fairlead_cli PRIVATE fairlead_tools fairlead_scenes)
  endif()
endif()

# What a user wants built: the libraries, the program, the examples. And the long tests.
add_custom_target(fairlead-product)
add_custom_target(fairlead-campaigns)
foreach(name IN LISTS fairlead_libraries)
  add_dependencies(fairlead-product fairlead::${name})
endforeach()
if(TARGET fairlead_cli)
  add_dependencies(fairlead-product fairlead_cli)
endif()

if(FAIRLEAD_BUILD_TESTS OR FAIRLEAD_BUILD_DIGEST OR FAIRLEAD_BUILD_EXAMPLES)
  enable_testing()
endif()

if(FAIRLEAD_BUILD_EXAMPLES)
  file(GLOB examples CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/*.cpp)
  foreach(source IN LISTS examples)
    get_filename_component(name ${source} NAME_WE)
    fairlead_program(example_${name} examples ${source})
    set_target_properties(example_${name} PROPERTIES OUTPUT_NAME ${name})
    target_link_libraries(example_${name} PRIVATE fairlead_scenes)
    add_test(NAME example.${name} COMMAND example_${name})
    add_dependencies(fairlead-product example_${name})
  endforeach()
endif()

# The one example with a library of its own. Its test draws into memory and looks at what is there.
if(FAIRLEAD_BUILD_WINDOW)
  find_package(SDL2 REQUIRED)
  fairlead_program(example_window examples ${PROJECT_SOURCE_DIR}/examples/window/window.cpp)
  set_target_properties(example_window PROPERTIES OUTPUT_NAME window)
  target_link_libraries(example_window PRIVATE SDL2::SDL2)
  enable_testing()
  add_test(NAME example.window COMMAND example_window --headless)
  add_dependencies(fairlead-product example_window)
endif()

if(FAIRLEAD_BUILD_TESTS OR FAIRLEAD_BUILD_DIGEST OR FAIRLEAD_BUILD_FUZZERS)
  add_subdirectory(tests)
endif()
