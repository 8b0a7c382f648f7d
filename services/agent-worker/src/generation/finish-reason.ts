import type { FinishReason } from './chat-model.js';

/** Names used by OpenAI and Azure, Gemini, Anthropic, Bedrock and Zhipu. */
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

/** Compatible servers have other names, such as `eos_token`: an unknown one counts as a regular end. */
export function finishReason(reason: unknown): FinishReason {
  // Gemini sends `content_filter: RECITATION`; some libraries forward `FinishReason.SAFETY`.
  const [name = ''] = (typeof reason === 'string' ? reason : '')
    .toLowerCase()
    .replace(/^finish_?reason[._]/, '')
    .split(':');
  if (lengths.has(name.trim())) return 'length';
  return filters.has(name.trim()) ? 'filtered' : 'whole';
}
