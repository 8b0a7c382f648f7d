import { answer, type ChatAnswer, type ChatRequest } from '@quire/scripted-providers';

/** A text whose words are all different, so that a word that is lost, repeated or of another run is noticed. */
export function numberedText(tag: string, words: number): string {
  const numbered = Array.from({ length: words }, (_, i) => `${tag}-${i + 1}`);
  return `${numbered.join(' ')} [1].`;
}

/** A question that names its own answer: `tag` and how long it is. */
export const questionOf = (tag: string, words = 20): string =>
  `How do ROS 2 nodes exchange messages on topics? (${tag}/${words})`;

export interface Asked {
  tag: string;
  words: number;
}

/** The `questionOf` that a request to the scripted model holds, parsed; undefined if there is none. */
export function askedOf(request: ChatRequest): Asked | undefined {
  const texts = request.messages.map(({ content }) => (typeof content === 'string' ? content : ''));
  const [, tag, words] = /\(([a-z0-9-]+)\/(\d+)\)/.exec(texts.join('\n')) ?? [];
  return tag === undefined ? undefined : { tag, words: Number(words) };
}

/** The model's side of `questionOf`, a word at a time. */
export function numberedAnswer(request: ChatRequest, tokenMs: number): ChatAnswer {
  const asked = askedOf(request);
  return answer(asked ? numberedText(asked.tag, asked.words) : 'Nothing was asked [1].', { tokenMs });
}
