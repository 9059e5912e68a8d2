// Links fairlead::formats alone.
#include <fairlead/fairlead.h>
#include <fairlead/formats/formats.h>

int main() {
    const fairlead::Result<fairlead::formats::TileMap> map =
        fairlead::formats::load_tile_map("type octile\nheight 1\nwidth 3\nmap\n.@.\n");
    // What is not packed at all is refused by zlib's reader: it is linked.
    return map && !fairlead::formats::unpack_gzip("no gzip") ? 0 : 1;
}
