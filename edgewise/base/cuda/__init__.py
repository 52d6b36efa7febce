"""What runs on NVIDIA GPUs: kernels and their launches, atomics, the barrier of a whole grid."""
