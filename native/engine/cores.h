// How many cores this process may keep busy at once.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace logit_audit {

// The cores of its affinity mask, and no more than its control group's quota of CPU time is worth; at
// least 1.
uint32_t usable_cores();

// The smallest quota on the way from the groups in `membership`, which is /proc/self/cgroup, to the root of
// the hierarchy that is mounted at `mount`, in whole cores, at least 1; 0: no limit. cpu.max of version 2,
// and cpu.cfs_quota_us of version 1. Part of a core counts for nothing: a thread that is stopped stops all of
// them.
uint32_t quota_cores(const std::filesystem::path& mount, const std::string& membership);

}  // namespace logit_audit
