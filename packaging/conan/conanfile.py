"""Conan 2 recipe for the tree that it lies in: conan create packaging/conan"""

import os

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, rmdir

# target -> (its library, what it stands on)
TARGETS = {
    "fairlead": ("fairlead", []),
    "verify": ("fairlead_verify", ["fairlead"]),
    "explain": ("fairlead_explain", ["fairlead"]),
    "debug": ("fairlead_debug", ["explain"]),
    "mesh_table": ("fairlead_mesh_table", ["fairlead"]),
    "classic": ("fairlead_classic", ["fairlead"]),
    "bake": ("fairlead_bake", ["debug"]),
    "formats": ("fairlead_formats", ["mesh_table", "zlib::zlib"]),
}


class FairleadConan(ConanFile):
    name = "fairlead"
    version = "0.2.0"
    license = "MIT"
    description = "Pathfinding for any unit through any world"
    package_type = "static-library"
    settings = "os", "compiler", "build_type", "arch"
    options = {"fPIC": [True, False], "formats": [True, False]}
    default_options = {"fPIC": True, "formats": True}
    implements = ["auto_shared_fpic"]

    def export_sources(self):
        tree = os.path.join(self.recipe_folder, "..", "..")
        for pattern in ("CMakeLists.txt", "cmake/*", "include/*", "src/*", "scenes/*", "LICENSE"):
            copy(self, pattern, src=tree, dst=self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def validate(self):
        check_min_cppstd(self, 20)

    def requirements(self):
        if self.options.formats:
            self.requires("zlib/[>=1.2.11 <2]")

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        toolchain.variables["FAIRLEAD_BUILD_FORMATS"] = bool(self.options.formats)
        toolchain.variables["FAIRLEAD_BUILD_TOOLS"] = "OFF"
        toolchain.variables["FAIRLEAD_BUILD_TESTS"] = "OFF"
        toolchain.variables["FAIRLEAD_BUILD_EXAMPLES"] = "OFF"
        toolchain.variables["FAIRLEAD_INSTALL"] = "ON"
        toolchain.variables["FAIRLEAD_OPTIMIZE"] = "ON"
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", src=self.source_folder, dst=os.path.join(self.package_folder, "licenses"))
        CMake(self).install()
        rmdir(self, os.path.join(self.package_folder, "lib", "cmake"))
        rmdir(self, os.path.join(self.package_folder, "lib", "pkgconfig"))
        rmdir(self, os.path.join(self.package_folder, "share"))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "fairlead")
        for name, (library, below) in TARGETS.items():
            if name == "formats" and not self.options.formats:
                continue
            component = self.cpp_info.components[name]
            component.libs = [library]
            component.requires = below
            component.set_property("cmake_target_name", f"fairlead::{name}")
            component.set_property("pkg_config_name", library.replace("_", "-", 1))
