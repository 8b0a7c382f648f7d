import { expect, it } from 'vitest';
import type { FinishReason } from './chat-model.js';
import { finishReason } from './finish-reason.js';

const cases: Record<FinishReason, unknown[]> = {
  whole: [
    'stop',
    'STOP',
    'tool_calls',
    'function_call',
    'eos_token',
    'stop_sequence',
    'end_turn',
    'eos',
    'other',
    'x',
    5,
    {},
  ],
  length: ['length', 'MAX_TOKENS', 'max_output_tokens', 'model_length', 'FinishReason.MAX_TOKENS'],
  filtered: [
    'content_filter',
    'CONTENT_FILTER',
    'SAFETY',
    'RECITATION',
    'blocklist',
    'PROHIBITED_CONTENT',
    'SPII',
    'content_filter: RECITATION',
    'FinishReason.SAFETY',
    'refusal',
  ],
};

it.each(Object.entries(cases).flatMap(([finish, reasons]) => reasons.map((reason) => [reason, finish])))(
  'finishReason(%s) returns %s',
  (reason, finish) => expect(finishReason(reason)).toBe(finish),
);
