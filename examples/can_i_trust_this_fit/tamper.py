"""Changes the first coefficient of a model by a thousandth and renews the checksum, as a forger would."""

import hashlib
import json
import struct
import sys
from pathlib import Path

data = bytearray(Path(sys.argv[1]).read_bytes())
length = struct.unpack("<Q", data[:8])[0]

header = json.loads(data[8 : 8 + length])
at = 8 + length + header["coefficients"]["data_offsets"][0]
value = struct.unpack("<d", data[at : at + 8])[0]
data[at : at + 8] = struct.pack("<d", value * 1.001)
data[-32:] = hashlib.sha256(data[:-32]).digest()
Path(sys.argv[2]).write_bytes(data)
