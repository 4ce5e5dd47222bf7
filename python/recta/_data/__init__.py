"""From what users hold to what the library reads: tables, arrays, frames, labels."""
