import type { FinishReason } from './chat-model.js';

/** Of OpenAI and Azure, Gemini, Anthropic, Bedrock and Zhipu. */
const filters = new Set([
  'blocklist',
  'content_filter',
  'content_filtered',
  'guardrail_intervened',
  'image_prohibited_content',
  'image_recitation',
  'image_safety',
  'language',
  'model_armor',
  'prohibited_content',
  'recitation',
  'refusal',
  'safety',
  'sensitive',
  'spii',
]);
const lengths = new Set([
  'length',
  'max_length',
  'max_output_tokens',
  'max_tokens',
  'model_context_window_exceeded',
  'model_length',
]);

/** Compatible servers have names of their own, such as `eos_token`: what is not known ends an answer as it should. */
export function finishReason(reason: unknown): FinishReason {
  // Gemini says `content_filter: RECITATION`; libraries pass `FinishReason.SAFETY` on.
  const [name = ''] = (typeof reason === 'string' ? reason : '')
    .toLowerCase()
    .replace(/^finish_?reason[._]/, '')
    .split(':');
  if (lengths.has(name.trim())) return 'length';
  return filters.has(name.trim()) ? 'filtered' : 'whole';
}
