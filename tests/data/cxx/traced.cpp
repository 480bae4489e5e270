// condlint-test: target=nnscaler
// What a tracer freezes, and selections that it converts.
#include <torch/torch.h>

#include <condlint/annotations.h>

static torch::Tensor clipped(const torch::Tensor &x) {
  if (x.abs().max().item<float>() > 100) // expect: warning control-flow-frozen
    return x.clamp(-100, 100);
  return x;
}

struct BlockImpl : torch::nn::Module {
  torch::Tensor forward(const torch::Tensor &x, const torch::Tensor &n) {
    double p = is_training() ? rate : 0.0; // expect: note select-convertible
    auto y = torch::dropout(x, p, is_training());
    if (is_training()) // expect: warning control-flow-frozen
      y = y + torch::randn_like(y);
    auto half = y.to(torch::kHalf);
    auto full = y.to(torch::kFloat);
    auto mixed = is_training() ? half : full; // expect: note select-convertible; warning select-type
    int64_t step = is_training() ? ++steps : steps; // expect: error select-eager
    auto mean = torch::where(n > 0, x / n, x); // expect: warning select-eager
    y = torch::dropout(y, p, drop.get()); // expect: error training-flag
    drop->eval(); // expect: warning training-flag
    return clipped(mixed + mean) * step;
  }

  torch::nn::Dropout drop{nullptr};
  double rate = 0.1;
  int64_t steps = 0;
};
TORCH_MODULE(Block);

CONDLINT_TRACED
torch::Tensor traced(const torch::Tensor &x, bool wide) {
  TORCH_CHECK(x.dim() == 2, "a matrix");
  auto y = wide ? x.repeat({1, 2}) : x;
  return torch::equal(x, y) ? x : y; // expect: warning control-flow-frozen
}
