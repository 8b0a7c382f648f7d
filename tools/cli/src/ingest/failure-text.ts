/** `INVALID_REQUEST: The front matter …` → `The front matter …` */
export function withoutCode(reason: string): string {
  return reason.replace(/^[A-Z_]+: /, '');
}
