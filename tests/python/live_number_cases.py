"""As live_cases.py: modules whose branches compute with numbers and arrays of numpy that are held outside.

torch.export takes each for a tensor: one of Python's beside it becomes a tensor, too, which is a constant of the branch, and nothing goes by it.
"""

import math

import numpy as np
import torch
import torch.nn.functional as F

from live_cases import BATCH, of

SCALE, HALF, ROWS, FLAG = np.float32(2), np.float64(0.5), np.int64(1), np.bool_(True)
QUARTER, TWO, FOUR = np.float32(0.25), np.int64(2), np.int64(4)
TABLE, ORDER = np.ones(4, dtype=np.float32), np.array([0, 1])


def within(left, **held):
    def forward(self, x):
        return torch.cond(x.sum() > 0, left, lambda x: x * 2, (x,))

    module, args, kwargs, _ = of(forward, **held)
    return module, args, kwargs, {"x": {0: BATCH}}


def arithmetic_of_held_numbers():
    def left(x):
        x = x * (1 - SCALE)  # expect: error side-effect
        x = x * (HALF * 2.0)  # expect: error side-effect
        x = x * (ROWS * 2.5)  # expect: error side-effect
        x = x + (-SCALE * 2)  # expect: error side-effect
        x = x * np.maximum(SCALE, 1)  # expect: error side-effect
        return x * (TABLE.max() + 1)  # expect: error side-effect

    return within(left)


def arithmetic_of_held_attribute():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x * (self.scale * 2), lambda x: x * self.scale, (x,))  # expect: error side-effect

    return of(forward, scale=np.float32(3))


def arithmetic_without_numbers_of_python_is_fine():
    half = SCALE

    def left(x):
        k = ROWS + 1
        x = x * SCALE * 2 + k * (ROWS // 2)
        x = x * (SCALE * SCALE) - SCALE
        return x * (-half) * TABLE * float(SCALE)

    return within(left)


def decisions_on_held_numbers():
    def left(x):
        if SCALE > ROWS:  # expect: error side-effect
            x = x + 1
        while FLAG:  # expect: error side-effect
            x = x + 1
            break
        x = x * (2 if ROWS else 3)  # expect: error side-effect
        above = SCALE > 1  # expect: error side-effect
        known = SCALE in (1, 2)  # expect: error side-effect
        neither = not HALF  # expect: error side-effect
        return x if above is known is neither else x + 1

    return within(left)


def numbers_held_are_fine():
    def left(x):
        same = SCALE == HALF
        held = [SCALE, ROWS]
        if SCALE is None or held is None or same is None:
            x = x + 1
        return x + len(held)

    return within(left)


def held_numbers_for_functions():
    def left(x):
        for _ in range(ROWS):  # expect: error side-effect
            x = x + 1
        x = x * max(SCALE, HALF)  # expect: error side-effect
        x = x * round(SCALE)  # expect: error side-effect
        x = x * math.floor(SCALE)  # expect: error side-effect
        x = x * len(str(SCALE))  # expect: error side-effect
        x = x + TABLE.tolist()[0]  # expect: error side-effect
        for scale in TABLE:  # expect: error side-effect
            x = x * scale
        return x if TABLE.dtype is None else x + 1  # expect: error side-effect

    return within(left)


def power_of_held_number():
    return within(lambda x: x * pow(SCALE, 2))  # expect: error side-effect


def root_of_held_number_is_fine():
    return within(lambda x: x * math.sqrt(HALF) * len(TABLE) * TABLE.shape[0])


def numbers_in_one_of_two_arms():
    def left(x):
        x = x * (np.float32(2) if x.dim() == 2 else 3.0)  # expect: error side-effect
        x = x * (3.0 if x.dim() == 3 else SCALE - 1)  # expect: error side-effect
        factor = x.dim() == 2 and np.float32(2)  # expect: error side-effect
        return x * factor

    return within(left)


def numbers_in_the_other_arm_are_fine():
    def left(x):
        x = x * (np.float32(2) if x.dim() == 3 else 3.0)
        x = x * (3.0 if x.dim() == 2 else SCALE - 1)
        factor = (x.dim() == 3 and np.float32(2)) or 2.0
        return x * factor

    return within(left)


def array_as_index_is_fine():
    def left(x):
        return x[:, ORDER] * 2

    def forward(self, x):
        return torch.cond(x.sum() > 0, left, lambda x: x[:, :2] * x[ORDER].sum(), (x,))

    return of(forward)


def array_as_index_of_assignment_is_fine():
    def left(x):
        y = x.clone()
        y[ORDER] = 1.0
        return y

    return within(left)


def printed_number_of_numpy():
    def left(x):
        print(SCALE)  # expect: warning side-effect
        return x + 1

    return within(left)


def held_numbers_for_what_is_no_tensor():
    def left(x):
        x = F.leaky_relu(x, SCALE)  # expect: error side-effect
        x = F.leaky_relu(x, negative_slope=SCALE)  # expect: error side-effect
        x = F.softmax(x, dim=ROWS)  # expect: error side-effect
        x = F.layer_norm(x, (4,), eps=SCALE)  # expect: error side-effect
        x = F.softplus(x, SCALE)  # expect: error side-effect
        x = F.dropout(x, QUARTER, False) + 1  # expect: error side-effect
        x = torch.full_like(x, SCALE) + x  # expect: error side-effect
        return x + torch.isclose(x, x + 1, rtol=SCALE)  # expect: error side-effect

    return within(left)


def held_numbers_within_functions_of_torch():
    def left(x):
        x = F.normalize(x, p=TWO)  # expect: error side-effect
        x = F.softmin(x, ROWS)  # expect: error side-effect
        x = x + torch.norm(x, TWO)  # expect: error side-effect
        x = x + x[:, ::TWO].sum()  # expect: error side-effect
        x = x.clamp(SCALE, 5.0)  # expect: error side-effect
        x = F.threshold(x, SCALE, 0.0)  # expect: error side-effect
        x = F.interpolate(x[None, None], scale_factor=ROWS)[0, 0]  # expect: error side-effect
        x = x.permute(0, ROWS) * x.sum((0, ROWS))  # expect: error side-effect
        x = F.smooth_l1_loss(x, x + 1, beta=SCALE) * x  # expect: error side-effect
        return x + torch.cdist(x, x, p=SCALE).sum()  # expect: error side-effect

    return within(left)


def held_numbers_in_layers():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: self.norm(self.sharp(x)) + self.act(x), lambda x: x * 2, (x,))  # expect: error side-effect

    layers = dict(norm=torch.nn.LayerNorm(4, eps=SCALE), sharp=torch.nn.ELU(SCALE), act=torch.nn.LeakyReLU(QUARTER))
    module, args, kwargs, _ = of(forward, **layers)
    return module, args, kwargs, {"x": {0: BATCH}}


def held_numbers_in_layers_are_fine():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: self.act(self.norm(self.lin(x))) * 1.0, lambda x: x * 2, (x,))

    layers = dict(norm=torch.nn.LayerNorm(np.int64(4), eps=HALF), act=torch.nn.LeakyReLU(HALF), lin=torch.nn.Linear(np.int64(4), 4))
    module, args, kwargs, _ = of(forward, **layers)
    return module, args, kwargs, {"x": {0: BATCH}}


def held_numbers_for_what_may_be_a_tensor_are_fine():
    def left(x):
        x = F.leaky_relu(x, float(SCALE)) + F.leaky_relu(x, HALF) + torch.add(x, x, alpha=SCALE) + torch.addcmul(x, x, x, value=SCALE)
        x = x.clamp(min=SCALE) + x.masked_fill(x > 0, SCALE) + torch.where(x > 0, x, SCALE) + torch.lerp(x, x * 2, SCALE)
        x = x + x[:, ROWS:].sum() + F.pad(x, (0, ROWS)).sum() + x.roll(ROWS, 1) + x.tril(ROWS) + torch.as_tensor(SCALE)
        x = x + x.topk(TWO).values.sum() + F.layer_norm(x, (FOUR,)) + F.normalize(x, eps=SCALE) + torch.zeros(1, FOUR)
        return x[:, :ROWS].sum() + x + torch.full((4,), SCALE) + x.reshape(-1, ROWS).sum() + torch.arange(0, ROWS).sum()

    return within(left)


def arrays_filled_with_a_number():
    def left(x):
        x = x + torch.tensor(np.full(4, 2.0)).float()  # expect: error side-effect
        x = x + torch.from_numpy(np.full((1, 4), fill_value=2.0)).float()  # expect: error side-effect
        return x + torch.tensor(np.linspace(0, 1, 4)).float()  # expect: error side-effect

    return within(left)


def arrays_of_functions_are_fine():
    def left(x):
        x = x + torch.tensor(np.arange(4).reshape(2, 2)).sum() + torch.tensor(np.ones(4) + np.zeros(4)).float()
        return x + torch.tensor(np.eye(4)).float() @ torch.ones(4)

    return within(left)
