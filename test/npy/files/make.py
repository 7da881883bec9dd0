"""Makes the NumPy files beside it: python make.py, with numpy and ml_dtypes installed."""
import numpy as np
import ml_dtypes

logits = np.array([[0.5, -1, 2], [0, -0.25, -np.inf]])

def save(name, array, version=None):
    with open(name, "wb") as file:
        np.lib.format.write_array(file, array, version=version, allow_pickle=True)

save("float32.npy", logits.astype("<f4"))
save("float32-v2.npy", logits.astype("<f4"), (2, 0))
save("float32-v3.npy", logits.astype("<f4"), (3, 0))
save("float32-big.npy", logits.astype(">f4"))
save("float16.npy", logits.astype("<f2"))
save("float64-big.npy", logits.astype(">f8"))
save("bfloat16.npy", logits.astype(ml_dtypes.bfloat16))
save("bfloat16-uint16.npy", logits.astype(ml_dtypes.bfloat16).view("<u2"))
save("one-row.npy", logits[0].astype("<f4"))
save("ids.npy", np.array([2, -1]))
save("bad-fortran.npy", np.asfortranarray(logits.astype("<f4")))
save("bad-scalar.npy", np.float32(1))
save("bad-three.npy", logits.astype("<f4").reshape(1, 2, 3))
save("bad-int32.npy", np.arange(6, dtype="<i4").reshape(2, 3))
save("bad-longdouble.npy", logits.astype(np.longdouble))
save("bad-structured.npy", np.zeros(2, dtype=[("a", "<f4"), ("b", "<i4")]))
save("bad-unicode-names.npy", np.zeros(2, dtype=[("\u03b1", "<f4")]))
save("bad-object.npy", np.array([None, 1]))
