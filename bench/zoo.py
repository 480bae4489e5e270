"""Architectures of public model libraries, with random weights: condlint run beside ONNX Runtime, one thread each.

    zoo.py make FOLDER [NAME...]                 exports NAME.onnx and NAME.npz for each that is not there yet
    zoo.py onnxruntime NAME FOLDER SECONDS       the seconds of the fastest run, of those of so many seconds, at least three

`bench/compare --only zoo` measures them all. Wants torch, torchvision, timm, transformers, onnx, onnxscript and onnxruntime.
"""
import os
import sys
import time

import numpy

# The libraries' names of them. Inputs are of the sizes that the architectures were published with, but for the detector's
# and the segmenter's.
VISION = ("resnet18", "shufflenet_v2_x1_0", "densenet121", "squeezenet1_1", "regnet_y_400mf", "mnasnet1_0", "googlenet")
TIMM = ("mobilenetv3_small_100", "efficientnet_b0", "ghostnet_100", "nfnet_l0", "convnext_atto", "mixer_s32_224", "vit_tiny_patch16_224",
        "swin_tiny_patch4_window7_224", "mobilevit_xxs")
OTHERS = ("unet", "lraspp_mobilenet_v3_large", "bert", "gpt2", "mamba", "lstm")
NAMES = VISION + TIMM + OTHERS


def unet():
    """Three levels of two convolutions each, with what the way down has seen."""
    from torch import cat, nn

    def level(inputs, outputs):
        parts = []
        for channels in (inputs, outputs):
            parts += [nn.Conv2d(channels, outputs, 3, padding=1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU()]
        return nn.Sequential(*parts)

    class UNet(nn.Module):
        def __init__(self):
            super().__init__()
            self.down = nn.ModuleList([level(3, 32), level(32, 64), level(64, 128)])
            self.pool = nn.MaxPool2d(2)
            self.middle = level(128, 256)
            self.up = nn.ModuleList([nn.ConvTranspose2d(2 * c, c, 2, 2) for c in (128, 64, 32)])
            self.join = nn.ModuleList([level(2 * c, c) for c in (128, 64, 32)])
            self.head = nn.Conv2d(32, 2, 1)

        def forward(self, x):
            seen = []
            for down in self.down:
                seen.append(down(x))
                x = self.pool(seen[-1])
            x = self.middle(x)
            for up, join in zip(self.up, self.join):
                x = join(cat([up(x), seen.pop()], 1))
            return self.head(x)

    return UNet()


def architecture(name):
    """The module and its arguments."""
    import torch
    image = (torch.randn(1, 3, 224, 224),)
    words = (torch.randint(0, 1000, (1, 128)),)
    if name in VISION:
        import torchvision
        return getattr(torchvision.models, name)(weights=None, **({"init_weights": False, "aux_logits": False} if name == "googlenet" else {})), image
    if name in TIMM:
        import timm
        return timm.create_model(name), image
    if name == "unet":
        return unet(), (torch.randn(1, 3, 128, 128),)
    if name == "lraspp_mobilenet_v3_large":
        import torchvision

        class Segmenter(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.model = torchvision.models.segmentation.lraspp_mobilenet_v3_large(weights=None, weights_backbone=None)

            def forward(self, x):
                return self.model(x)["out"]
        return Segmenter(), image
    if name == "lstm":
        class Recurrent(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.rnn = torch.nn.LSTM(128, 256, 2, batch_first=True)

            def forward(self, x):
                return self.rnn(x)[0]
        return Recurrent(), (torch.randn(1, 128, 128),)
    import transformers

    class First(torch.nn.Module):
        """A model of transformers, of whose results the first counts."""

        def __init__(self, model):
            super().__init__()
            self.model = model

        def forward(self, ids):
            return self.model(input_ids=ids, return_dict=False, use_cache=False)[0] if name != "bert" else self.model(input_ids=ids, return_dict=False)[0]
    if name == "bert":
        config = transformers.BertConfig(vocab_size=1000, hidden_size=256, num_hidden_layers=4, num_attention_heads=4, intermediate_size=1024)
        return First(transformers.BertModel(config)), words
    if name == "gpt2":
        config = transformers.GPT2Config(vocab_size=1000, n_embd=256, n_layer=4, n_head=4)
        return First(transformers.GPT2Model(config)), words
    config = transformers.MambaConfig(vocab_size=1000, hidden_size=128, num_hidden_layers=2, state_size=8)
    return First(transformers.MambaModel(config)), (words[0][:, :32],)


def make(folder, names):
    import torch
    for name in names or NAMES:
        path = os.path.join(folder, name)
        if os.path.exists(path + ".npz"):
            continue
        try:
            torch.manual_seed(0)
            module, arguments = architecture(name)
            with torch.no_grad():
                torch.onnx.export(module.eval(), arguments, path + ".onnx", dynamo=True, external_data=False, verbose=False)
            import onnx
            given = [i.name for i in onnx.load(path + ".onnx").graph.input]
            numpy.savez(path + ".npz", **{n: a.numpy() for n, a in zip(given, arguments)})
        except Exception as e:  # whatever an exporter raises: the others are measured
            print(f"{name}: cannot be exported here: {str(e).strip().splitlines()[0][:150]}", file=sys.stderr)


def onnxruntime(name, folder, seconds):
    import onnxruntime as ort
    options = ort.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = ort.InferenceSession(os.path.join(folder, name + ".onnx"), options, providers=["CPUExecutionProvider"])
    given = dict(numpy.load(os.path.join(folder, name + ".npz")))
    # Time of the processor: whatever else the machine does counts for neither.
    best, end, runs = 1e9, time.process_time() + seconds, 0
    while runs < 3 or time.process_time() < end:
        begin = time.process_time()
        session.run(None, given)
        best, runs = min(best, time.process_time() - begin), runs + 1
    print(best)


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2], sys.argv[3:])
    else:
        onnxruntime(sys.argv[2], sys.argv[3], float(sys.argv[4]))
