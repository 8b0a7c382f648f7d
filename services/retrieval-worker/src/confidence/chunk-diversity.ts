/** 1 − the mean pairwise cosine, within 0–1; a single passage has no diversity. */
export function chunkDiversity(vectors: readonly ArrayLike<number>[]): number {
  const cosines = vectors.flatMap((vector, i) => vectors.slice(i + 1).map((other) => cosine(vector, other)));
  if (cosines.length === 0) return 0;
  const mean = cosines.reduce((sum, value) => sum + value, 0) / cosines.length;
  return Math.min(1, Math.max(0, 1 - mean));
}

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let dot = 0;
  let squaredA = 0;
  let squaredB = 0;
  for (let i = 0; i < a.length; i += 1) {
    const x = a[i] ?? 0;
    const y = b[i] ?? 0;
    dot += x * y;
    squaredA += x * x;
    squaredB += y * y;
  }
  const norms = Math.sqrt(squaredA * squaredB);
  return norms === 0 ? 0 : dot / norms;
}
