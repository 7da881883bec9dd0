#pragma once

#include <cstddef>
#include <vector>

namespace logit_audit::metrics {

// Takes a table [rows, columns] that a device gave back apart, column by column.
class Columns {
 public:
  Columns(const std::vector<float>& values, size_t columns) : values_(values), columns_(columns) {}
  std::vector<float> next(size_t width = 1) {
    std::vector<float> out;
    for (size_t row = 0; row * columns_ < values_.size(); ++row) {
      const auto begin = values_.begin() + static_cast<std::ptrdiff_t>(row * columns_ + at_);
      out.insert(out.end(), begin, begin + static_cast<std::ptrdiff_t>(width));
    }
    at_ += width;
    return out;
  }

 private:
  const std::vector<float>& values_;
  size_t columns_;
  size_t at_ = 0;
};

}  // namespace logit_audit::metrics
