#include "engine/plan.h"

#include <algorithm>
#include <random>
#include <set>

#include "test/check.h"

namespace logit_audit::test {

namespace {

size_t tokens_of(const std::vector<SequenceShape>& shapes, const std::vector<size_t>& batch) {
  size_t tokens = 0;
  for (const size_t s : batch) tokens += shapes[s].tokens;
  return tokens;
}

}  // namespace

TEST("plan: nothing gives no batch") { CHECK(plan_batches({}, {512, 64}).empty()); }

TEST("plan: longest request first, its sequences together and in order") {
  const auto batches = plan_batches({{0, 3}, {1, 9}, {2, 4}, {2, 6}}, {10, 64});
  CHECK_EQ(batches.size(), size_t{3});
  CHECK(batches[0] == std::vector<size_t>({2, 3}));
  CHECK(batches[1] == std::vector<size_t>({1}));
  CHECK(batches[2] == std::vector<size_t>({0}));
}

TEST("plan: equal lengths keep their order") {
  const auto batches = plan_batches({{0, 5}, {1, 5}, {2, 5}}, {10, 64});
  CHECK(batches[0] == std::vector<size_t>({0, 1}));
  CHECK(batches[1] == std::vector<size_t>({2}));
}

TEST("plan: a request longer than the target has a batch of its own") {
  const auto batches = plan_batches({{0, 700}, {0, 700}, {1, 2}}, {512, 64});
  CHECK_EQ(batches.size(), size_t{2});
  CHECK(batches[0] == std::vector<size_t>({0, 1}));
}

TEST("plan: any shapes: every sequence once, limits kept, requests whole") {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<SequenceShape> shapes;
    const uint32_t requests = random() % 60;
    for (uint32_t request = 0; request < requests; ++request) {
      const size_t sides = 1 + random() % 2;
      for (size_t side = 0; side < sides; ++side) shapes.push_back({request, 1 + random() % 40});
    }
    const BatchLimits limits = {1 + random() % 128, 2 + random() % 16};
    std::set<size_t> seen;
    size_t total = 0;
    for (const auto& batch : plan_batches(shapes, limits)) {
      std::set<uint32_t> own;
      for (const size_t s : batch) {
        seen.insert(s);
        own.insert(shapes[s].request);
      }
      total += batch.size();
      CHECK(!batch.empty());
      CHECK(batch.size() <= limits.sequences);
      CHECK(tokens_of(shapes, batch) <= limits.target_tokens || own.size() == 1);
      for (size_t s = 0; s < shapes.size(); ++s) {
        const bool here = std::find(batch.begin(), batch.end(), s) != batch.end();
        if (own.count(shapes[s].request) != 0) CHECK(here);
      }
    }
    CHECK_EQ(total, shapes.size());
    CHECK_EQ(seen.size(), shapes.size());
  }
}

}  // namespace logit_audit::test
