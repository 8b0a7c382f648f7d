/** The encodings of a vector: Cohere's embedding types, of which OpenAI has `float` and `base64`. */
export const vectorEncodings = {
  float: (vector: Float32Array) => Array.from(vector),
  base64: (vector: Float32Array) =>
    Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64'),
  int8: (vector: Float32Array) => Array.from(vector, (value) => Math.round(value * 127)),
  uint8: (vector: Float32Array) => Array.from(vector, (value) => Math.round(value * 127) + 128),
  binary: (vector: Float32Array) => packedSigns(vector).map((byte) => byte - 128),
  ubinary: (vector: Float32Array) => packedSigns(vector),
};

export type VectorEncoding = keyof typeof vectorEncodings;

/** One bit a component, most significant first, set where the component is positive. */
function packedSigns(vector: Float32Array): number[] {
  const bytes = Array.from({ length: Math.ceil(vector.length / 8) }, () => 0);
  for (const [index, value] of vector.entries()) {
    const byte = index >> 3;
    if (value > 0) bytes[byte] = (bytes[byte] ?? 0) | (0x80 >> (index & 7));
  }
  return bytes;
}
