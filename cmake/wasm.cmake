# Toolchain: Emscripten's em++ as Debian 12 ships it (3.1.6), programs run under node.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_CROSSCOMPILING TRUE)

find_program(FAIRLEAD_EMXX em++ REQUIRED)
find_program(FAIRLEAD_EMAR emar REQUIRED)
find_program(FAIRLEAD_EMRANLIB emranlib REQUIRED)
find_program(FAIRLEAD_NODE NAMES node nodejs REQUIRED)
set(CMAKE_CXX_COMPILER ${FAIRLEAD_EMXX})
set(CMAKE_AR ${FAIRLEAD_EMAR} CACHE FILEPATH "" FORCE)
set(CMAKE_RANLIB ${FAIRLEAD_EMRANLIB} CACHE FILEPATH "" FORCE)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_EXECUTABLE_SUFFIX .js)
set(CMAKE_EXECUTABLE_SUFFIX_CXX .js)
set(CMAKE_CROSSCOMPILING_EMULATOR ${FAIRLEAD_NODE})

# From -O2 on the linker runs a JavaScript optimiser that needs Debian's acorn; a node that does not come from
# Debian looks for it elsewhere unless told.
set(CMAKE_CXX_LINKER_LAUNCHER env NODE_PATH=/usr/share/nodejs:/usr/lib/nodejs)

# One file: the loader of this version fetches the .wasm beside it in a way that newer versions of node refuse.
set(CMAKE_EXE_LINKER_FLAGS_INIT
  "-sSINGLE_FILE=1 -sENVIRONMENT=node -sALLOW_MEMORY_GROWTH=1 -sEXIT_RUNTIME=1")
set(CMAKE_CXX_FLAGS_RELEASE_INIT "-O2 -DNDEBUG")
