import { randomUUID } from 'node:crypto';
import type { ToolCall } from './chat-model.js';

/** A piece of a call as it stands in a chunk of the stream. */
export interface ToolCallPiece {
  index?: number | undefined;
  id?: string | undefined;
  function?: { name?: string | undefined; arguments?: string | undefined } | undefined;
  extra_content?: unknown;
}

interface BegunCall extends ToolCall {
  index: number | undefined;
}

/**
 * Puts streamed tool calls together. Providers differ: OpenAI numbers the pieces; Gemini leaves the number out or gives
 * every call the same, and may send what it wants back in a piece of its own. A new id begins a new call.
 */
export class ToolCallAssembly {
  private readonly begun: BegunCall[] = [];

  add(pieces: readonly ToolCallPiece[]): void {
    for (const piece of pieces) {
      const call = this.callOf(piece);
      call.name += piece.function?.name ?? '';
      call.arguments += piece.function?.arguments ?? '';
      if (piece.extra_content !== undefined) call.extra = piece.extra_content;
    }
  }

  get calls(): ToolCall[] {
    return this.begun.map(({ index: _index, ...call }) => call);
  }

  private callOf({ index, id, function: named }: ToolCallPiece): BegunCall {
    const known =
      (id !== undefined && id !== '' && this.begun.find((call) => call.id === id)) ||
      (!id && this.begun.findLast((call) => index === undefined || call.index === index));
    const goesOn = known && !(index === undefined && !id && named?.name);
    if (goesOn) return known;
    const call: BegunCall = { index, id: id || `call_${randomUUID()}`, name: '', arguments: '' };
    this.begun.push(call);
    return call;
  }
}
