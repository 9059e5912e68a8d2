# Figure 1 as a live page: the library as WebAssembly in one HTML file that fetches nothing. Only under the toolchain that can
# (cmake/wasm.cmake). Target fairlead_page; the file is web/figure_1.html of the build tree.
add_executable(fairlead_web_figure_1 ${PROJECT_SOURCE_DIR}/web/figure_1.cpp ${PROJECT_SOURCE_DIR}/tools/gallery/stages.cpp)
target_link_libraries(fairlead_web_figure_1 PRIVATE fairlead::fairlead fairlead::verify fairlead_program_options)
target_include_directories(fairlead_web_figure_1 PRIVATE ${PROJECT_SOURCE_DIR}/tools)
# A module by itself: no loader of Emscripten's, which the page would have to carry.
target_link_options(fairlead_web_figure_1 PRIVATE -sSINGLE_FILE=0 -sEXIT_RUNTIME=0 -sSTANDALONE_WASM --no-entry)
set_target_properties(fairlead_web_figure_1 PROPERTIES
  SUFFIX .wasm RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/web OUTPUT_NAME figure_1)

set(page ${PROJECT_BINARY_DIR}/web/figure_1.html)
set(page_scene ${PROJECT_SOURCE_DIR}/scenes/article_1_stages.json)
set(page_parts ${PROJECT_SOURCE_DIR}/web)
add_custom_command(OUTPUT ${page}
  COMMAND ${FAIRLEAD_NODE} ${page_parts}/pack.mjs ${page_parts} $<TARGET_FILE:fairlead_web_figure_1> ${page_scene}
    ${PROJECT_VERSION} ${page}
  DEPENDS fairlead_web_figure_1 ${page_scene} ${page_parts}/pack.mjs ${page_parts}/figure_1.html ${page_parts}/figure_1.js
  VERBATIM)
add_custom_target(fairlead_page ALL DEPENDS ${page})

enable_testing()
add_test(NAME page.figure_1 COMMAND ${FAIRLEAD_NODE} ${page_parts}/test_page.mjs ${page})
