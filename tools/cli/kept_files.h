// The files that a command read, kept, so that what it did can be done again without them.
#pragma once

#include <map>
#include <string>

namespace fairlead::cli {

/// While one of these lives, read_file keeps in it what it reads, and reads what is in it already no more. One at a time.
class KeptFiles {
  public:
    KeptFiles() { now_ = this; }
    /// `closed`: a file that is not in it cannot be read.
    KeptFiles(std::map<std::string, std::string> files, bool closed)
        : files_(std::move(files)), closed_(closed) {
        now_ = this;
    }
    KeptFiles(const KeptFiles&) = delete;
    KeptFiles& operator=(const KeptFiles&) = delete;
    ~KeptFiles() { now_ = nullptr; }

    /// Null: read_file reads the disk, and keeps nothing.
    [[nodiscard]] static KeptFiles* now() { return now_; }
    [[nodiscard]] std::map<std::string, std::string>& files() { return files_; }
    [[nodiscard]] bool closed() const { return closed_; }

  private:
    static inline KeptFiles* now_ = nullptr;
    std::map<std::string, std::string> files_;
    bool closed_ = false;
};

}  // namespace fairlead::cli
