# What fairlead::formats needs from packages. Neither shows in its headers.
find_package(ZLIB REQUIRED)
find_package(nlohmann_json 3.9 REQUIRED)
target_link_libraries(fairlead_formats PRIVATE ZLIB::ZLIB $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>)
