// Works that requests may join, by the key that they were given.
#include <fairlead/base/digest.h>

#include "schedule/work.h"

namespace fairlead::schedule {

std::size_t ShareTable::bucket(std::uint64_t key) {
    Digest digest;
    digest.add(key);
    return digest.value() % kBuckets;
}

Work* ShareTable::find(const Array<Work*>& works, const detail::BodyOps* ops, std::uint64_t world,
                       std::uint64_t key) const {
    for (std::uint32_t at = heads_[bucket(key)]; at != kNone; at = works[at]->share_next) {
        Work* work = works[at];
        if (work->options.share_key == key && work->ops == ops && work->world == world) return work;
    }
    return nullptr;
}

void ShareTable::add(Work& work) {
    std::uint32_t& head = heads_[bucket(work.options.share_key)];
    work.share_next = head;
    head = work.index;
}

void ShareTable::remove(const Array<Work*>& works, Work& work) {
    std::uint32_t* link = &heads_[bucket(work.options.share_key)];
    while (*link != kNone && *link != work.index) link = &works[*link]->share_next;
    if (*link != kNone) *link = work.share_next;
    work.share_next = kNone;
}

}  // namespace fairlead::schedule
