"""The tensors of a fitted model, from the bytes of its file (docs: model_file.md): what a body wrote, as arrays."""

import json

import numpy as np

_TYPES = {"F64": np.float64, "I64": np.int64, "U8": np.uint8}


def tensors(model):
    """Name to array, all of them."""
    data = model.to_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    found = {}
    for name, about in header.items():
        if name == "__metadata__":
            continue
        begin, end = about["data_offsets"]
        part = np.frombuffer(
            data, _TYPES[about["dtype"]], (end - begin) // np.dtype(_TYPES[about["dtype"]]).itemsize, 8 + length + begin
        )
        found[name] = part.reshape(about["shape"]).copy()
    return found
