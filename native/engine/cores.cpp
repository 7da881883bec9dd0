#include "engine/cores.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <thread>

#ifdef __linux__
#include <sched.h>
#endif

namespace logit_audit {

namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// "max" and -1 are no numbers above 0.
std::optional<double> positive(const std::string& text) {
  std::istringstream in(text);
  double number = 0;
  if (!(in >> number) || !(number > 0)) return std::nullopt;
  return number;
}

std::optional<double> quota_of(const fs::path& group) {
  const std::string both = read_text(group / "cpu.max");
  const auto quota = positive(both.empty() ? read_text(group / "cpu.cfs_quota_us") : both);
  const auto period = positive(both.empty() ? read_text(group / "cpu.cfs_period_us")
                                            : both.substr(std::min(both.find(' '), both.size())));
  if (!quota || !period) return std::nullopt;
  return *quota / *period;
}

bool names_cpu(const std::string& controllers) {
  return ("," + controllers + ",").find(",cpu,") != std::string::npos;
}

uint32_t affinity_cores() {
#ifdef __linux__
  // Room for the masks of machines of 8,192 cores.
  cpu_set_t sets[8];
  if (sched_getaffinity(0, sizeof(sets), sets) == 0) {
    const int count = CPU_COUNT_S(sizeof(sets), sets);
    if (count > 0) return static_cast<uint32_t>(count);
  }
#endif
  return std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace

uint32_t quota_cores(const fs::path& mount, const std::string& membership) {
  std::optional<double> least;
  std::istringstream lines(membership);
  for (std::string line; std::getline(lines, line);) {
    // hierarchy:controllers:path, without controllers in version 2
    const size_t first = line.find(':');
    const size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (!controllers.empty() && !names_cpu(controllers)) continue;
    const fs::path root = controllers.empty() ? mount : mount / "cpu";
    // In a container the path may be one that only the host has; then its parents are looked at.
    fs::path group = fs::path(line.substr(second + 1)).relative_path().lexically_normal();
    while (true) {
      if (const auto quota = quota_of(root / group)) least = std::min(least.value_or(*quota), *quota);
      if (group.empty() || group == ".") break;
      group = group.parent_path();
    }
  }
  return least ? static_cast<uint32_t>(std::clamp(*least, 1.0, 1e6)) : 0;
}

uint32_t usable_cores() {
  const uint32_t cores = affinity_cores();
  const uint32_t quota = quota_cores("/sys/fs/cgroup", read_text("/proc/self/cgroup"));
  return quota == 0 ? cores : std::min(cores, quota);
}

}  // namespace logit_audit
