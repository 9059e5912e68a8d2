// Is a text well-formed XML, as far as the library's writers use it: elements, quoted attributes, the five
// entities and numeric ones, one root, UTF-8. No comments, declarations or CDATA.
#pragma once

#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::testing {

class XmlCheck {
  public:
    /// Empty if well formed, otherwise what is wrong and where.
    [[nodiscard]] static std::string run(std::string_view text) {
        XmlCheck check{text};
        check.document();
        return check.error_;
    }

  private:
    explicit XmlCheck(std::string_view text) : text_(text) {}

    void document() {
        blanks();
        while (error_.empty() && at_ < text_.size()) {
            if (text_[at_] == '<') {
                tag();
            } else {
                if (open_.empty()) return fail("text outside the root");
                character("<");
            }
            if (open_.empty()) blanks();
        }
        if (error_.empty() && !open_.empty()) fail("element " + open_.back() + " is not closed");
        if (error_.empty() && roots_closed_ != 1) fail("not one root");
    }

    void tag() {
        ++at_;
        if (take('/')) {
            const std::string name = word();
            if (open_.empty() || open_.back() != name) return fail("unexpected </" + name + ">");
            open_.pop_back();
            if (open_.empty()) ++roots_closed_;
            if (!take('>')) fail("'>' expected");
            return;
        }
        const std::string name = word();
        if (name.empty()) return fail("a name expected");
        std::set<std::string> seen;
        while (error_.empty()) {
            const bool gap = blanks();
            if (take('/')) {
                if (open_.empty()) ++roots_closed_;
                if (!take('>')) fail("'>' expected");
                return;
            }
            if (take('>')) {
                open_.push_back(name);
                return;
            }
            if (!gap) return fail("a blank expected before an attribute");
            attribute(seen);
        }
    }

    void attribute(std::set<std::string>& seen) {
        const std::string name = word();
        if (name.empty() || !seen.insert(name).second)
            return fail("attribute name missing or repeated: " + name);
        if (!take('=') || !take('"')) return fail("=\" expected after " + name);
        while (error_.empty() && at_ < text_.size() && text_[at_] != '"') character("<\"");
        if (!take('"')) fail("attribute " + name + " is not closed");
    }

    /// One character of text, an entity included.
    void character(std::string_view forbidden) {
        const auto c = static_cast<unsigned char>(text_[at_]);
        if (forbidden.find(static_cast<char>(c)) != std::string_view::npos)
            return fail("forbidden character");
        if (c == '&') {
            const std::size_t end = text_.find(';', at_);
            const std::string name{text_.substr(at_ + 1, end == std::string_view::npos ? 0 : end - at_ - 1)};
            static const std::set<std::string> kKnown{"amp", "lt", "gt", "quot", "apos", "#39"};
            if (kKnown.count(name) == 0) return fail("unknown entity");
            at_ = end + 1;
            return;
        }
        if (c < 0x20 && c != '\n' && c != '\t' && c != '\r') return fail("control character");
        const std::size_t bytes = c < 0x80                ? 1
                                  : c >= 0xC2 && c < 0xE0 ? 2
                                  : c >= 0xE0 && c < 0xF0 ? 3
                                  : c >= 0xF0 && c < 0xF5 ? 4
                                                          : 0;
        if (bytes == 0 || at_ + bytes > text_.size()) return fail("not UTF-8");
        for (std::size_t i = 1; i < bytes; ++i) {
            if ((static_cast<unsigned char>(text_[at_ + i]) & 0xC0U) != 0x80U) return fail("not UTF-8");
        }
        at_ += bytes;
    }

    bool blanks() {
        const std::size_t from = at_;
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
        return at_ != from;
    }
    bool take(char c) {
        if (at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }
    std::string word() {
        const std::size_t from = at_;
        while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 ||
                                      text_[at_] == '-' || text_[at_] == '_' || text_[at_] == ':')) {
            ++at_;
        }
        return std::string{text_.substr(from, at_ - from)};
    }
    void fail(const std::string& what) {
        if (error_.empty()) error_ = what + " at byte " + std::to_string(at_);
    }

    std::string_view text_;
    std::size_t at_ = 0;
    int roots_closed_ = 0;
    std::vector<std::string> open_;
    std::string error_;
};

}  // namespace fairlead::testing
