"""profiler.py: a program that profiles itself: PyTorch's profiler brings CUPTI of its own, and wants it for itself.

usage: profiler.py. Prints what it saw of its own work, and how long it was on the GPU:
    profiled kernels N copies N gpu_us T
and ends with status 0 whatever it saw: whether that is as much as without a tracer is for the test to say.
"""
import torch
from torch.autograd import DeviceType
from torch.profiler import ProfilerActivity, profile

ROUNDS = 20


def main():
    host = torch.ones(1 << 20, pin_memory=True)
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as profiled:
        for _ in range(ROUNDS):
            device = host.to("cuda", non_blocking=True)
            device.mul_(2.0)
        torch.cuda.synchronize()
    on_gpu = [e for e in profiled.events() if e.device_type == DeviceType.CUDA]
    copies = [e for e in on_gpu if "memcpy" in e.name.lower()]
    kernels = [e for e in on_gpu if "memcpy" not in e.name.lower() and "memset" not in e.name.lower()]
    print(f"profiled kernels {len(kernels)} copies {len(copies)} gpu_us {sum(e.time_range.elapsed_us() for e in on_gpu):.1f}")


main()
