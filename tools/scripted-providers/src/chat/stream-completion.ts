import type { Exchange } from '../server/exchange.js';
import type { ResolvedChatAnswer } from './chat-behaviour.js';
import type { CompletionFrames } from './completion-frames.js';

const FLUSH_CHARACTERS = 16_384;
const MALFORMED_FRAME = 'data: {"id":"chatcmpl-\u0000,"choices":[{{\n\n';

/** Never writes faster than the client reads; without a pace it uses no timers. */
export async function streamCompletion(
  exchange: Exchange,
  { tokens, closing }: CompletionFrames,
  answer: ResolvedChatAnswer,
): Promise<void> {
  const reached = (position: number | undefined, sent: number): boolean =>
    position !== undefined && Math.min(position, tokens.length) === sent;
  let unsent = '';
  const flush = async (): Promise<void> => {
    const data = unsent;
    unsent = '';
    if (data !== '') await exchange.write(data);
    else if (exchange.open) exchange.response.flushHeaders();
  };

  exchange.response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
  });
  for (let sent = 0; exchange.open; sent += 1) {
    if (reached(answer.malformedChunkAfterTokens, sent)) unsent += MALFORMED_FRAME;
    if (reached(answer.stallAfterTokens, sent)) {
      await flush();
      return exchange.untilClosed();
    }
    if (reached(answer.cutAfterTokens, sent)) {
      await flush();
      return exchange.cut();
    }
    const token = tokens[sent];
    if (token === undefined) break;

    const pause = sent === 0 ? answer.firstTokenMs : answer.tokenMs;
    if (pause > 0 || unsent.length > FLUSH_CHARACTERS) await flush();
    await exchange.wait(pause);
    unsent += token;
  }
  if (exchange.open) exchange.response.end(unsent + closing);
}
