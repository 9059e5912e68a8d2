// fairlead reseal: the checksums of a baked file computed anew, to test what reads it.

#include <memory>
#include <string>

#include <fairlead/base/baked.h>

#include "cli/baked.h"
#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/world.h"

namespace fairlead::cli {

namespace {

struct Resealed {
    std::string in;
    std::string out;
};

void reseal(const Resealed& files) {
    std::string text = read_file(files.in);
    const Result<void> done = baked_reseal({reinterpret_cast<std::uint8_t*>(text.data()), text.size()});
    if (!done) fail_at(files.in, baked_error_text(done.error()));
    write_file(files.out.empty() ? files.in : files.out, text);
}

}  // namespace

void add_reseal(CLI::App& app, int& status) {
    CLI::App* sub =
        app.add_subcommand("reseal", "Compute a baked file's checksums anew, to test what reads it");
    const auto files = std::make_shared<Resealed>();
    sub->add_option("FILE", files->in, "A baked file, .fl")->required();
    sub->add_option("-o,--out", files->out, "Where to; else in place");
    sub->callback([files, &status] {
        reseal(*files);
        status = kDone;
    });
}

}  // namespace fairlead::cli
