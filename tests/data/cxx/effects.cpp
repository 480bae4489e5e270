// condlint-test: target=torch@2.13
// What a branch writes and reads besides what it is given.
#include <condlint/cond.h>
#include <iostream>
#include <string>
#include <torch/torch.h>

using torch::Tensor;

struct Gate : torch::nn::Module {
  Tensor weight = torch::ones({4});
  int calls = 0;

  Tensor forward(const Tensor &x) {
    return condlint::cond(
        x.any(),
        [this](const Tensor &x) {
          calls++; // expect: error global-mutation
          return x * weight; // expect: warning closure-capture
        },
        [](const Tensor &x) {
          std::cout << "closed\n"; // expect: warning side-effect
          return x.sin();
        },
        {x});
  }
};

static void scale(const Tensor &t) {
  t.mul_(2); // expect: error input-mutation
}

Tensor written(const Tensor &x) {
  return condlint::cond(
      x.any(),
      [](const Tensor &x) {
        scale(x);
        return x.exp();
      },
      [](const Tensor &x) {
        Tensor own = x.exp();
        own.add_(1);
        return own;
      },
      {x});
}

Tensor read(const Tensor &x) {
  return condlint::cond(
      x.any(),
      [](const Tensor &x) {
        if (x.sum().item<float>() > 0) // expect: error host-sync
          return x.sin();
        return x.cos();
      },
      [](const Tensor &x) { return x.exp(); }, {x});
}

Tensor noisy(const Tensor &x) {
  return condlint::cond(
      x.any(), [](const Tensor &x) { return torch::rand_like(x); }, // expect: note random-in-branch
      [](const Tensor &x) { return x.exp(); }, {x});
}

// What one text says twice: the first write is on no path, the second one on some.
Tensor named(const Tensor &x, const std::string &mode) {
  const bool isPlain = mode == "plain";
  return condlint::cond(
      x.any(),
      [isPlain, mode](const Tensor &x) {
        if (isPlain && mode.find("gated") != std::string::npos) // expect: warning closure-scalar
          x.zero_();
        if (isPlain && mode.find("ain") != std::string::npos)
          x.neg_(); // expect: error input-mutation
        return x.sin();
      },
      [](const Tensor &x) { return x.exp(); }, {x});
}
