# An overlay port: it builds the tree that it lies in.
#   vcpkg install fairlead --overlay-ports=<fairlead>/packaging/vcpkg/ports
vcpkg_check_linkage(ONLY_STATIC_LIBRARY)
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS FEATURE_OPTIONS FEATURES formats FAIRLEAD_BUILD_FORMATS)
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS
    ${FEATURE_OPTIONS}
    -DFAIRLEAD_BUILD_TOOLS=OFF
    -DFAIRLEAD_BUILD_TESTS=OFF
    -DFAIRLEAD_BUILD_EXAMPLES=OFF
    -DFAIRLEAD_INSTALL=ON
    -DFAIRLEAD_OPTIMIZE=ON
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/fairlead)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
