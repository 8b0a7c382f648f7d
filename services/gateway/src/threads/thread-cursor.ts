import type { ThreadPosition } from '@quire/shared/database';
import { z } from 'zod';

/** Postgres knows no year 0. */
const timeSchema = z.iso.datetime({ precision: 6 }).refine((time) => !time.startsWith('0000'));
const positionSchema = z.tuple([timeSchema, z.uuid()]);

/** A position in the list, as an opaque text that callers send back. */
export function encodeCursor({ updatedAt, id }: ThreadPosition): string {
  return Buffer.from(JSON.stringify([updatedAt, id])).toString('base64url');
}

/** Returns undefined for what `encodeCursor` has not made. */
export function decodeCursor(cursor: string): ThreadPosition | undefined {
  const position = positionSchema.safeParse(jsonIn(Buffer.from(cursor, 'base64url').toString()));
  return position.success ? { updatedAt: position.data[0], id: position.data[1] } : undefined;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
