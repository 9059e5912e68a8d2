#include "formats/json_reader.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fairlead/base/rng.h>
#include <fairlead/formats/number.h>

#include "support/environment.h"

namespace fairlead::formats {
namespace {

bool accepts(std::string_view text) {
    JsonReader json(text);
    return json.skip() && json.finish();
}

void tell_number(double number, std::string& out) {
    append_number(out, number == 0.0
                           ? 0.0
                           : number);  // the other reader takes -0 for a whole number, which has no sign
}

// Reads any value and writes it again in one fixed form, to compare with what another reader understood.
// `twice` says whether an object had a key twice.
void retell(JsonReader& json, std::string& out, bool& twice) {
    switch (json.peek()) {
        case JsonReader::Kind::object:
            out += '{';
            json.open_object();
            for (std::set<std::string> keys; json.next_key();) {
                twice = !keys.insert(std::string(json.key())).second || twice;
                out += json.key();
                out += ':';
                retell(json, out, twice);
            }
            out += '}';
            break;
        case JsonReader::Kind::array:
            out += '[';
            json.open_array();
            while (json.next_item()) {
                retell(json, out, twice);
                out += ',';
            }
            out += ']';
            break;
        case JsonReader::Kind::string: {
            std::string text;
            json.read(text, 1 << 20);
            out += '"' + text + '"';
            break;
        }
        case JsonReader::Kind::number: {
            double number = 0.0;
            json.read(number);
            tell_number(number, out);
            break;
        }
        case JsonReader::Kind::boolean: {
            bool value = false;
            json.read(value);
            out += value ? 't' : 'f';
            break;
        }
        case JsonReader::Kind::null:
            json.read_null();
            out += 'n';
            break;
        case JsonReader::Kind::none: json.fail_next(ErrorCode::text_character); break;
    }
}

void retell(const nlohmann::ordered_json& value, std::string& out) {
    using Type = nlohmann::ordered_json::value_t;
    switch (value.type()) {
        case Type::object:
            out += '{';
            for (const auto& [key, member] : value.items()) {
                out += key + ':';
                retell(member, out);
            }
            out += '}';
            break;
        case Type::array:
            out += '[';
            for (const auto& item : value) {
                retell(item, out);
                out += ',';
            }
            out += ']';
            break;
        case Type::string: out += '"' + value.get<std::string>() + '"'; break;
        case Type::boolean: out += value.get<bool>() ? 't' : 'f'; break;
        case Type::null: out += 'n'; break;
        default: tell_number(value.get<double>(), out); break;
    }
}

const std::vector<std::string>& seeds() {
    static const std::vector<std::string> texts = {
        R"({"a":[1,2.5,-3e2,0.125E-1,-0],"b":{"c":null,"d":true,"e":false},"f":"x\"\\\/\b\f\n\r\té\ud83d\ude00"})",
        "[ ]",
        "{ }",
        "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"",
        " [ [ [ { \"k\" : [ ] } ] ] , 1 ]\r\n\t",
        "-1.5e+10",
        "null",
        R"([1,"two",{"three":[3,[4,{"five":6}]]},"\u0041\u00ff\uffff"])",
    };
    return texts;
}

TEST(JsonReader, UnderstandsWhatAnotherReaderUnderstands) {
    for (const std::string& text : seeds()) {
        std::string ours;
        JsonReader json(text);
        bool twice = false;
        retell(json, ours, twice);
        EXPECT_TRUE(json.finish()) << text;
        std::string theirs;
        retell(nlohmann::ordered_json::parse(text), theirs);
        EXPECT_EQ(ours, theirs);
    }
}

// On damaged texts the two agree whether it is JSON, and on what it says. Known differences: this reader
// stops at a depth of 64, at numbers of more than 128 characters and at keys of more than 64 bytes; the other
// keeps one of two equal keys.
TEST(JsonReader, AgreesOnDamagedTexts) {
    static const char kBytes[] = "{}[]:,\"\\0123456789.eE+-tfnu \n\x80\xc3\xed\xf4\x01/";
    Rng rng(7);
    int accepted = 0;
    const int count = testing::trials(100000);
    for (int i = 0; i < count; ++i) {
        std::string text = seeds()[rng.below(static_cast<std::uint32_t>(seeds().size()))];
        for (std::uint32_t n = 1 + rng.below(3); n > 0; --n) {
            const std::size_t at = rng.below(static_cast<std::uint32_t>(text.size()) + 1);
            const char byte = kBytes[rng.below(sizeof kBytes - 1)];
            const std::uint32_t how = rng.below(3);
            if (how == 0) {
                text.insert(at, 1, byte);
            } else if (at < text.size() && how == 1) {
                text.erase(at, 1);
            } else if (at < text.size()) {
                text[at] = byte;
            }
        }
        const auto theirs = nlohmann::ordered_json::parse(text, nullptr, false);
        if (accepts(text)) ++accepted;
        if (theirs.is_discarded()) {
            // Numbers that overflow are refused by the other already when it parses, here when they are read.
            if (accepts(text)) {
                std::string said;
                bool twice = false;
                JsonReader json(text);
                retell(json, said, twice);
                EXPECT_FALSE(json.ok()) << text;
            }
            continue;
        }
        ASSERT_TRUE(accepts(text)) << text;
        std::string ours;
        bool twice = false;
        JsonReader json(text);
        retell(json, ours, twice);
        ASSERT_TRUE(json.ok()) << text;
        std::string told;
        retell(theirs, told);
        ASSERT_TRUE(twice || ours == told) << text;
    }
    EXPECT_GT(accepted, count / 20);
}

TEST(JsonReader, SkipsExactlyOneValue) {
    JsonReader json(R"([{"a":[1,{"b":2}]}, 5, "x", [], {}, 6])");
    ASSERT_TRUE(json.open_array());
    std::vector<double> numbers;
    while (json.next_item()) {
        if (json.peek() == JsonReader::Kind::number) {
            double number = 0.0;
            ASSERT_TRUE(json.read(number));
            numbers.push_back(number);
        } else {
            ASSERT_TRUE(json.skip());
        }
    }
    EXPECT_TRUE(json.finish());
    EXPECT_EQ(numbers, (std::vector<double>{5, 6}));
}

TEST(JsonReader, TheFirstFailureStays) {
    JsonReader json("[1,\n  x]");
    ASSERT_TRUE(json.open_array());
    ASSERT_TRUE(json.next_item());
    EXPECT_TRUE(json.skip());
    ASSERT_TRUE(json.next_item());
    EXPECT_FALSE(json.skip());
    EXPECT_EQ(json.error(), (Error{ErrorCode::text_character, 2, 3}));
    EXPECT_FALSE(json.next_item());
    EXPECT_FALSE(json.finish());
    EXPECT_EQ(json.error(), (Error{ErrorCode::text_character, 2, 3}));
}

TEST(JsonReader, DepthIsLimited) {
    const std::string good = std::string(64, '[') + std::string(64, ']');
    const std::string deep = std::string(65, '[') + std::string(65, ']');
    EXPECT_TRUE(accepts(good));
    EXPECT_FALSE(accepts(deep));
    EXPECT_FALSE(accepts(std::string(1 << 20, '[')));
    EXPECT_FALSE(accepts(std::string(1 << 20, '{')));
}

TEST(JsonReader, StartsAtTheGivenLine) {
    JsonReader json("{}x", 17);
    EXPECT_TRUE(json.skip());
    EXPECT_FALSE(json.finish());
    EXPECT_EQ(json.error(), (Error{ErrorCode::text_extra, 17, 3}));
}

TEST(JsonReader, Integers) {
    const auto read = [](std::string_view text) {
        JsonReader json(text);
        std::int64_t value = 0;
        return json.read_integer(value, -10, 10) ? ErrorCode::count_ : json.error().code;
    };
    EXPECT_EQ(read("-10"), ErrorCode::count_);
    EXPECT_EQ(read("11"), ErrorCode::text_value);
    EXPECT_EQ(read("1.0"), ErrorCode::text_number);
    EXPECT_EQ(read("1e0"), ErrorCode::text_number);
    EXPECT_EQ(read("99999999999999999999"), ErrorCode::text_number);
    EXPECT_EQ(read("true"), ErrorCode::text_number);
    std::uint64_t large = 0;
    EXPECT_TRUE(JsonReader("18446744073709551615").read_unsigned(large));
    EXPECT_EQ(large, UINT64_MAX);
    EXPECT_FALSE(JsonReader("-1").read_unsigned(large));
}

}  // namespace
}  // namespace fairlead::formats
