"""Model files as a forger would make them: numbers changed, the checksum redone."""

import hashlib
import json
import struct

import numpy as np

SHORT = 10
NUMBERS = {"F64": "<f8", "I64": "<i8", "F32": "<f4", "U32": "<u4"}


def read(path):
    data = path.read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    return json.loads(data[8 : 8 + size]), bytearray(data[8 + size :])


def write(path, header, body):
    """With the checksum redone: the last tensor is that of all bytes before it."""
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    data = struct.pack("<Q", len(text)) + text + bytes(body[:-32])
    path.write_bytes(data + hashlib.sha256(data).digest())


def changed_tensors(header, body, wanted, kinds=tuple(NUMBERS)):
    """For every tensor whose name is wanted: the body with a number that is not zero doubled, for the first and the last of a long
    tensor and for all of a short one."""
    for name, entry in header.items():
        if name == "__metadata__" or entry["dtype"] not in kinds or not wanted(name):
            continue
        begin, end = entry["data_offsets"]
        values = np.frombuffer(bytes(body[begin:end]), dtype=NUMBERS[entry["dtype"]])
        used = np.flatnonzero((values != 0) & np.isfinite(values))
        for at in used if used.size <= SHORT else used[[0, -1]]:
            changed = values.copy()
            changed[at] *= 2
            yield f"{name}[{at}]", header, bytearray(body[:begin]) + changed.tobytes() + body[end:]
