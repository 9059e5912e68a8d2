# cmake --install, find_package(fairlead) and pkg-config. tests/consumer/ uses all of it.
include(CMakePackageConfigHelpers)

set(fairlead_config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/fairlead)

install(DIRECTORY include/fairlead DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# One export file a library: each is a component, and one whose own packages are missing must not break the rest.
foreach(component IN LISTS fairlead_libraries)
  get_target_property(target fairlead::${component} ALIASED_TARGET)
  install(TARGETS ${target} EXPORT fairlead_${component}_targets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT fairlead_${component}_targets NAMESPACE fairlead::
    FILE fairlead_${component}_targets.cmake DESTINATION ${fairlead_config_dir})
endforeach()
list(JOIN fairlead_libraries " " fairlead_components)

if(TARGET fairlead_cli)
  install(TARGETS fairlead_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

configure_package_config_file(cmake/fairlead-config.cmake.in ${PROJECT_BINARY_DIR}/fairlead-config.cmake
  INSTALL_DESTINATION ${fairlead_config_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/fairlead-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/fairlead-config.cmake ${PROJECT_BINARY_DIR}/fairlead-config-version.cmake
  DESTINATION ${fairlead_config_dir})

# pkg-config: one file a library, fairlead.pc, fairlead-debug.pc and so on. It finds its prefix from its own place, so that an installed tree can be moved; absolute install folders
# stay as they are.
set(pc_PREFIX "${CMAKE_INSTALL_PREFIX}")
if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  file(RELATIVE_PATH up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
  set(pc_PREFIX "\${pcfiledir}/${up}")
endif()
foreach(dir IN ITEMS INCLUDEDIR LIBDIR)
  if(IS_ABSOLUTE "${CMAKE_INSTALL_${dir}}")
    set(pc_${dir} "${CMAKE_INSTALL_${dir}}")
  else()
    set(pc_${dir} "\${prefix}/${CMAKE_INSTALL_${dir}}")
  endif()
endforeach()
foreach(name IN LISTS fairlead_libraries)
  set(pc_NAME fairlead-${name})
  set(pc_LIBRARY fairlead_${name})
  if(name STREQUAL "fairlead")
    set(pc_NAME fairlead)
    set(pc_LIBRARY fairlead)
  endif()
  set(pc_REQUIRES ${fairlead_links_${name}})
  list(TRANSFORM pc_REQUIRES PREPEND fairlead-)
  list(TRANSFORM pc_REQUIRES REPLACE "^fairlead-fairlead$" fairlead)
  if(name STREQUAL "formats")
    list(APPEND pc_REQUIRES zlib)
  endif()
  list(JOIN pc_REQUIRES ", " pc_REQUIRES)
  configure_file(cmake/target.pc.in ${PROJECT_BINARY_DIR}/${pc_NAME}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${pc_NAME}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
