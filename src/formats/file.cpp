#include <fairlead/formats/file.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <system_error>
#include <utility>

#include <fairlead/formats/number.h>

#include "formats/budget.h"
#include "formats/text.h"

namespace fairlead::formats {

namespace {

class File {
  public:
    File(const std::string& path, const char* mode) : file_(std::fopen(path.c_str(), mode)) {}
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File() { close(); }
    [[nodiscard]] std::FILE* get() { return file_; }
    bool close() {
        if (file_ == nullptr) return true;
        return std::fclose(std::exchange(file_, nullptr)) == 0;
    }

  private:
    std::FILE* file_;
};

Error system_error(ErrorCode code) { return {code, -1, errno}; }

// Doubles its room and asks for one byte more than the limit, so that a file of exactly the limit is seen to
// end.
Result<std::string> read_all(File& file, std::size_t limit) {
    std::string out;
    std::size_t size = 0;
    while (true) {
        if (size > limit) return Error{ErrorCode::size_limit, -1, static_cast<std::int64_t>(limit)};
        out.resize(std::min(std::max<std::size_t>(size * 2, 64 << 10), limit + 1));
        const std::size_t wanted = out.size() - size;
        const std::size_t got = std::fread(out.data() + size, 1, wanted, file.get());
        size += got;
        if (got < wanted) {
            if (std::ferror(file.get()) != 0) return system_error(ErrorCode::file_read);
            break;
        }
    }
    out.resize(size);
    return out;
}

bool is_packed(std::string_view bytes) { return bytes.substr(0, 2) == "\x1f\x8b"; }

void append_quoted(std::string& out, std::string_view text) {
    constexpr std::size_t kQuoteMax = 24;
    constexpr char kHex[] = "0123456789abcdef";
    out += '"';
    for (const char c : text.substr(0, kQuoteMax)) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte < 0x7f) {
            out += c;
        } else {
            out += "\\x";
            out += kHex[byte >> 4];
            out += kHex[byte & 15];
        }
    }
    out += text.size() > kQuoteMax ? "\"..." : "\"";
}

// What stands at the error's place, to the next blank.
std::string_view word_at(std::string_view text, const Error& error) {
    LineReader lines(text);
    while (lines.number() < error.index) {
        if (!lines.next()) return {};
    }
    const std::string_view line = lines.line();
    if (error.detail < 1 || static_cast<std::uint64_t>(error.detail) > line.size()) return {};
    const std::string_view from = line.substr(static_cast<std::size_t>(error.detail) - 1);
    if (error.code == ErrorCode::text_character) return from.substr(0, 1);
    return from.substr(0, from.find_first_of(" \t,"));
}

bool has_place(ErrorCode code) {
    switch (code) {
        case ErrorCode::text_end:
        case ErrorCode::text_keyword:
        case ErrorCode::text_number:
        case ErrorCode::text_character:
        case ErrorCode::text_extra:
        case ErrorCode::text_value:
        case ErrorCode::text_missing:
        case ErrorCode::text_duplicate:
        case ErrorCode::text_reference:
        case ErrorCode::text_type: return true;
        default: return false;
    }
}

}  // namespace

Result<std::string> load_file(const std::string& path, const Limits& limits) {
    return guarded({}, limits, [&]() -> Result<std::string> {
        constexpr std::uint64_t kLargest = std::numeric_limits<std::ptrdiff_t>::max() / 4;
        errno = 0;
        File file(path, "rb");
        if (file.get() == nullptr) return system_error(ErrorCode::file_open);
        Result<std::string> bytes =
            read_all(file, static_cast<std::size_t>(std::min(limits.text_bytes, kLargest)));
        if (!bytes || !is_packed(*bytes)) return bytes;
        bytes->shrink_to_fit();
        return unpack_gzip(*bytes, limits);
    });
}

namespace {

namespace fs = std::filesystem;

constexpr int kNamesMax = 100;  // what is left of programs that were ended half-way

/// Where a link leads; the path itself where it is none.
Result<std::string> end_of_link(const std::string& path) {
    std::error_code failed;
    const fs::path target = fs::is_symlink(path, failed) ? fs::canonical(path, failed) : fs::path(path);
    if (failed && fs::exists(path, failed)) return Error{ErrorCode::file_open, -1, failed.value()};
    return target.empty() ? path : target.string();
}

}  // namespace

Result<FileWriter> FileWriter::open(const std::string& path) {
    return guarded({}, {}, [&]() -> Result<FileWriter> {
        Result<std::string> target = end_of_link(path);
        if (!target) return target.error();
        std::error_code failed;
        const fs::file_status old = fs::status(*target, failed);
        FileWriter out;
        if (fs::exists(old) && !fs::is_regular_file(old)) {  // a device, a pipe: nothing can take its place
            errno = 0;
            out.file_ = std::fopen(path.c_str(), "wb");
            if (out.file_ == nullptr) return system_error(ErrorCode::file_open);
            return out;
        }
        out.target_ = std::move(*target);
        for (int i = 0; i < kNamesMax; ++i) {
            out.beside_ = out.target_ + ".part" + std::to_string(i);
            errno = 0;
            out.file_ = std::fopen(out.beside_.c_str(), "wbx");
            if (out.file_ != nullptr) return out;
            const int why = errno;
            if (why != EEXIST) return Error{ErrorCode::file_open, -1, why};
        }
        return Error{ErrorCode::file_open, -1, EEXIST};
    });
}

FileWriter::FileWriter(FileWriter&& other) noexcept
    : file_(std::exchange(other.file_, nullptr)),
      target_(std::move(other.target_)),
      beside_(std::move(other.beside_)) {}

FileWriter::~FileWriter() {
    if (file_ == nullptr) return;
    (void)std::fclose(static_cast<std::FILE*>(file_));
    if (!target_.empty()) (void)std::remove(beside_.c_str());
}

Result<void> FileWriter::write(std::string_view text) {
    errno = 0;
    if (std::fwrite(text.data(), 1, text.size(), static_cast<std::FILE*>(file_)) == text.size()) return {};
    return system_error(ErrorCode::file_read);
}

Result<void> FileWriter::finish() {
    errno = 0;
    const bool closed = std::fclose(static_cast<std::FILE*>(std::exchange(file_, nullptr))) == 0;
    Result<void> done = closed ? Result<void>{} : system_error(ErrorCode::file_read);
    if (target_.empty()) return done;
    std::error_code failed;
    const fs::file_status old = fs::status(target_, failed);
    failed.clear();
    if (done && fs::exists(old)) fs::permissions(beside_, old.permissions(), failed);
    if (done && !failed) fs::rename(beside_, target_, failed);
    if (done && failed) done = Error{ErrorCode::file_read, -1, failed.value()};
    if (!done) (void)std::remove(beside_.c_str());
    return done;
}

Result<void> save_file(const std::string& path, std::string_view text) {
    Result<FileWriter> out = FileWriter::open(path);
    if (!out) return out.error();
    if (const Result<void> written = out->write(text); !written) return written;
    return out->finish();
}

std::string error_line(std::string_view name, const Error& error, std::string_view text) {
    std::string out(name);
    if (has_place(error.code)) {
        out += ':';
        append_number(out, error.index);
        out += ':';
        append_number(out, error.detail);
    }
    out += ": ";
    out += error_text(error.code);
    if (has_place(error.code)) {
        const std::string_view found = word_at(text, error);
        if (!found.empty()) {
            out += ": ";
            append_quoted(out, found);
        }
    } else if (error.code == ErrorCode::file_open || error.code == ErrorCode::file_read) {
        if (error.detail > 0) out += ": " + std::generic_category().message(static_cast<int>(error.detail));
    } else if (error.code == ErrorCode::size_limit) {
        out += ": ";
        append_number(out, error.detail);
    }
    return out;
}

}  // namespace fairlead::formats
