// Part of condlint, under the Apache License v2.0 with LLVM Exceptions: see torch/torch.h.
#include "../../torch/torch.h"
