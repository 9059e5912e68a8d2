"""What a file uses of the standard library it includes, itself or through headers of ours: never through the standard
library's own headers, which differ between platforms. So builds may share precompiled standard headers and hide nothing."""

import re

# Headers that declare a name; any of them will do. Containers and algorithms come with std::size_t and std::ptrdiff_t.
SIZES = "cstddef cstdlib cstring cstdio algorithm array bit iterator memory new span string string_view utility vector"
NAMES = {
    "cstdint": "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t uintptr_t intptr_t",
    "cstddef": "byte max_align_t nullptr_t",
    "span": "span as_bytes as_writable_bytes",
    "array": "array to_array",
    "vector": "vector",
    "map": "map multimap",
    "set": "set multiset",
    "string": "string to_string getline stoi stol stod",
    "string_view": "string_view",
    "optional": "optional nullopt",
    "variant": "variant monostate visit holds_alternative get_if",
    "tuple": "tuple tie make_tuple",
    "functional": "function invoke less greater",
    "algorithm": "min max minmax clamp sort stable_sort fill fill_n copy copy_n copy_backward copy_if move_backward find find_if"
    " find_if_not lower_bound upper_bound equal_range binary_search reverse any_of all_of none_of unique equal rotate max_element"
    " min_element minmax_element lexicographical_compare is_sorted adjacent_find swap_ranges partition_point partition"
    " nth_element partial_sort count count_if transform for_each merge inplace_merge replace remove remove_if mismatch search"
    " set_difference set_intersection set_union includes generate unique_copy next_permutation",
    "numeric": "iota accumulate midpoint gcd lcm partial_sum",
    "cmath": "fabs floor ceil sqrt isfinite isnan isinf ldexp frexp round lround llround fmin fmax signbit nextafter nextafterf"
    " copysign trunc fmod modf scalbn ilogb rint nearbyint remainder",
    "limits": "numeric_limits",
    "utility": "exchange pair as_const make_pair in_place index_sequence make_index_sequence cmp_less",
    "type_traits": "is_same_v is_trivially_copyable_v type_identity_t remove_cvref_t remove_cv_t remove_reference_t"
    " is_lvalue_reference_v is_convertible_v decay_t is_trivially_destructible_v is_integral_v is_copy_constructible_v"
    " is_floating_point_v is_unsigned_v is_signed_v is_enum_v is_invocable_v is_invocable_r_v is_const_v conditional_t enable_if_t"
    " make_unsigned_t make_signed_t underlying_type_t invoke_result_t is_default_constructible_v is_trivially_default_constructible_v"
    " is_nothrow_move_constructible_v is_constructible_v true_type false_type void_t is_constant_evaluated",
    "concepts": "same_as convertible_to copyable movable constructible_from invocable predicate integral floating_point regular"
    " semiregular derived_from default_initializable totally_ordered equality_comparable",
    "bit": "countr_zero countl_zero countr_one countl_one popcount bit_width bit_ceil bit_floor has_single_bit endian bit_cast rotl rotr",
    "memory": "construct_at destroy_at destroy_n destroy unique_ptr make_unique uninitialized_copy uninitialized_fill addressof align"
    " uninitialized_move uninitialized_move_n uninitialized_copy_n",
    "new": "bad_alloc nothrow nothrow_t launder align_val_t",
    "cstring": "memcpy memset memcmp memmove strlen strcmp strncmp strstr strchr",
    "cstdlib": "strtod strtol strtoul strtoull free malloc aligned_alloc abort exit getenv atoi",
    "cstdio": "snprintf printf fprintf FILE fwrite fread fopen fclose ferror fflush fseek ftell puts fputs remove rename",
    "charconv": "from_chars to_chars chars_format",
    "system_error": "error_code generic_category error_condition",
    "atomic": "atomic atomic_ref atomic_flag memory_order_relaxed memory_order_release memory_order_acquire memory_order_acq_rel"
    " memory_order_seq_cst memory_order atomic_thread_fence",
    "thread": "thread this_thread jthread",
    "mutex": "mutex unique_lock lock_guard scoped_lock once_flag call_once",
    "condition_variable": "condition_variable",
    "chrono": "chrono",
    "initializer_list": "initializer_list",
    "iterator": "back_inserter distance advance next prev reverse_iterator make_move_iterator random_access_iterator_tag"
    " forward_iterator_tag input_iterator_tag bidirectional_iterator_tag contiguous_iterator_tag output_iterator_tag",
    "compare": "strong_ordering weak_ordering partial_ordering",
    "clocale": "localeconv lconv setlocale",
    "filesystem": "filesystem",
    "cassert": "assert",
}
# Names of several headers.
EITHER = {
    "size_t": SIZES, "ptrdiff_t": SIZES,
    "swap": "utility algorithm array vector string span", "move": "utility algorithm", "forward": "utility",
    "abs": "cmath cstdlib", "get": "utility tuple array variant", "errc": "system_error charconv",
    **{name: "iterator array vector string string_view span map" for name in ("begin", "end", "size", "ssize", "data", "empty")},
    "erase_if": "vector string map set",
}
PROVIDERS = {name: {header} for header, names in NAMES.items() for name in names.split()}
PROVIDERS["remove"] = {"algorithm", "cstdio"}
PROVIDERS.update({name: set(headers.split()) for name, headers in EITHER.items()})

USED = re.compile(r"\bstd::(\w+)|(?<![\w.>:])(assert)\s*\(")


def check_standard(tree, files, code_only, includes, resolve):
    standard = {}  # by file: the standard headers that it includes, itself or through ours

    def reached(path):
        if path not in standard:
            standard[path] = set()  # of a cycle, which another check reports
            found = set()
            for _, how, name in includes(tree, path):
                other = resolve(name, how)
                if other is None:
                    found.add(name)
                elif (tree.root / other).is_file():
                    found |= reached(other)
            standard[path] = found
        return standard[path]

    def check(path, code, headers):
        told = set()
        for match in USED.finditer(code):
            name = match.group(1) or match.group(2)
            if name in told:
                continue
            line = code.count("\n", 0, match.start()) + 1
            providers = PROVIDERS.get(name)
            if providers is None:
                tree.report(path, line, f"std::{name} is not in the table of tests/tidy/standard.py: add it to its header")
            elif not providers & headers:
                tree.report(path, line, f"std::{name} wants <{'> or <'.join(sorted(providers))}>")
            told.add(name)

    def is_piece(path):  # a piece of the file that includes it, which includes for it too
        return path.name.endswith("_inc.h")

    for path in files:
        if is_piece(path):
            continue
        pieces = [path]
        for piece in pieces:
            check(piece, code_only(tree.text(piece)), reached(path))
            others = (resolve(name, how) for _, how, name in includes(tree, piece))
            pieces += [other for other in others if other is not None and is_piece(other) and (tree.root / other).is_file()]
