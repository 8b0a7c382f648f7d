import { answer, startScriptedProviders, type ScriptedProviders } from '@quire/scripted-providers';
import { scriptedAnswer, tokenIn } from '../questions/scripted-answer.js';

const FIRST_TOKEN_MS = 60;
const TOKEN_MS = 15;
const KEPT_REQUESTS = 10;

/** A model whose answer depends on the question's token alone, and the embedder of the book. */
export async function startScriptedModel(): Promise<ScriptedProviders> {
  const providers = await startScriptedProviders({ keepRequests: KEPT_REQUESTS });
  providers.chat.byDefault(({ messages }) => {
    const token = tokenIn(JSON.stringify(messages)) ?? '';
    return answer(scriptedAnswer(token), { firstTokenMs: FIRST_TOKEN_MS, tokenMs: TOKEN_MS });
  });
  return providers;
}
