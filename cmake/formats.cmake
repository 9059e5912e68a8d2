# What fairlead::formats needs from packages. It does not show in its headers.
find_package(ZLIB REQUIRED)
target_link_libraries(fairlead_formats PRIVATE ZLIB::ZLIB)
