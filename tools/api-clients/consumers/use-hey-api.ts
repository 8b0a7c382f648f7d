import { client } from './hey-api/client.gen.js';
import {
  ask,
  askForJson,
  askForStream,
  changeThread,
  getThread,
  listThreads,
  search,
  type ChatResponse,
  type DeltaEvent,
  type RunEventData,
} from './hey-api/index.js';

export async function use(baseUrl: string, session: string, question: string) {
  client.setConfig({ baseUrl });

  const asked = await askForJson({ body: { message: question, session_id: session }, throwOnError: true });
  const answer: ChatResponse = asked.data as ChatResponse;

  const found = await search({ body: { query: question }, throwOnError: true });
  const scores: number[] = found.data.results.map((result) => result.similarity_score);

  const listed = await listThreads({ query: { limit: 10 }, throwOnError: true });
  const thread = await getThread({ path: { session_id: session }, throwOnError: true });
  await changeThread({
    path: { session_id: session },
    body: { metadata: { shelf: ['robots', { depth: 2 }], gone: null } },
    throwOnError: true,
  });

  const refused = await ask({ body: { message: ' ' } });
  if (!refused.error) throw new Error('A blank question was accepted');

  const streamed = { text: '', answer: null as string | null };
  const { stream } = await askForStream({ body: { message: question } });
  for await (const data of stream) {
    if (isDelta(data)) streamed.text += data.text;
    else if (isAnswer(data)) streamed.answer = data.answer;
  }

  return {
    answer: answer.answer,
    session: answer.session_id,
    results: scores.length,
    threads: listed.data.threads.map((one) => one.session_id),
    messages: thread.data.messages.map((message) => message.content),
    refusal: { status: refused.response?.status ?? 0, error_code: refused.error.error_code },
    streamed,
  };
}

// The stream has the document's types: a change that loses them does not compile.
type Data = RunEventData | void;
const isDelta = (data: Data): data is DeltaEvent => typeof data === 'object' && 'text' in data;
const isAnswer = (data: Data): data is ChatResponse => typeof data === 'object' && 'answer' in data;
