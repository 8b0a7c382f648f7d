import { randomUUID } from 'node:crypto';
import type { ToolCall } from './chat-model.js';

/** A fragment of a tool call in one chunk of the stream. */
export interface ToolCallFragment {
  index?: number | undefined;
  id?: string | undefined;
  function?: { name?: string | undefined; arguments?: string | undefined } | undefined;
  extra_content?: unknown;
}

interface OpenCall extends ToolCall {
  index: number | undefined;
}

/**
 * Joins the fragments of streamed tool calls. Providers differ: OpenAI numbers the calls; Gemini omits the number or
 * gives every call the same, and may send `extra_content` in a fragment of its own. A new id starts a new call.
 */
export class ToolCallAssembly {
  private readonly open: OpenCall[] = [];

  add(fragments: readonly ToolCallFragment[]): void {
    for (const fragment of fragments) {
      const call = this.callOf(fragment);
      call.name += fragment.function?.name ?? '';
      call.arguments += fragment.function?.arguments ?? '';
      if (fragment.extra_content !== undefined) call.extra = fragment.extra_content;
    }
  }

  get calls(): ToolCall[] {
    return this.open.map(({ index: _index, ...call }) => call);
  }

  private callOf({ index, id, function: named }: ToolCallFragment): OpenCall {
    const known =
      (id !== undefined && id !== '' && this.open.find((call) => call.id === id)) ||
      (!id && this.open.findLast((call) => index === undefined || call.index === index));
    const isContinued = known && !(index === undefined && !id && named?.name);
    if (isContinued) return known;
    const call: OpenCall = { index, id: id || `call_${randomUUID()}`, name: '', arguments: '' };
    this.open.push(call);
    return call;
  }
}
