/** Little-endian on every machine, since workers share the bytes. */
export function vectorToBytes(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(vector.length * Float32Array.BYTES_PER_ELEMENT);
  for (const [i, value] of vector.entries()) bytes.writeFloatLE(value, i * Float32Array.BYTES_PER_ELEMENT);
  return bytes;
}

/** Undefined if these are not the bytes of a vector with these dimensions. */
export function vectorFromBytes(bytes: Buffer, dimensions: number): Float32Array | undefined {
  if (bytes.length !== dimensions * Float32Array.BYTES_PER_ELEMENT) return undefined;
  return Float32Array.from({ length: dimensions }, (_, i) =>
    bytes.readFloatLE(i * Float32Array.BYTES_PER_ELEMENT),
  );
}
