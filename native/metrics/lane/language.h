// What the lanes' code needs to be C++, CUDA and Metal at once: functions take and give values only, no
// pointers, and all numbers are float32.
#pragma once

#if defined(__METAL_VERSION__)
#include <metal_stdlib>
#define LA_LANE inline
#define LA_FMA(a, b, c) metal::fma(a, b, c)
#define LA_EXP2(x) metal::precise::exp2(x)
#define LA_MAX(a, b) metal::fmax(a, b)
#define LA_MIN(a, b) metal::fmin(a, b)
#define LA_ABS(x) metal::fabs(x)
#elif defined(__CUDACC__)
#define LA_LANE __host__ __device__ __forceinline__
#define LA_FMA(a, b, c) fmaf(a, b, c)
#define LA_EXP2(x) exp2f(x)
#define LA_MAX(a, b) fmaxf(a, b)
#define LA_MIN(a, b) fminf(a, b)
#define LA_ABS(x) fabsf(x)
#else
#include <cmath>
#define LA_LANE inline
#define LA_FMA(a, b, c) std::fma(a, b, c)
#define LA_EXP2(x) std::exp2(x)
#define LA_MAX(a, b) std::fmax(a, b)
#define LA_MIN(a, b) std::fmin(a, b)
#define LA_ABS(x) std::fabs(x)
#endif
