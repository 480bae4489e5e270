#pragma once
#include <torch/torch.h>

namespace places {
inline torch::Tensor writes(const torch::Tensor &t) {
  t.zero_(); // expect: error input-mutation
  return t.sin();
}
} // namespace places
