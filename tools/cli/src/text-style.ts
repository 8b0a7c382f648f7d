export interface TextStyle {
  dim(text: string): string;
  bold(text: string): string;
}

/** Colours on a live terminal alone, and not with NO_COLOR (https://no-color.org). */
export function textStyle(isLive: boolean, env: Record<string, string | undefined>): TextStyle {
  if (!isLive || env.NO_COLOR) return { dim: (text) => text, bold: (text) => text };
  return {
    dim: (text) => `\u001B[2m${text}\u001B[22m`,
    bold: (text) => `\u001B[1m${text}\u001B[22m`,
  };
}
