import createClient from 'openapi-fetch';
import type { components, paths } from './openapi-typescript/schema.js';

type Schemas = components['schemas'];

export async function use(baseUrl: string, session: string, question: string) {
  const client = createClient<paths>({ baseUrl });

  // The question alone is required: everything else has a default.
  const asked = await client.POST('/chat/run', { body: { message: question, session_id: session } });
  if (asked.error) throw new Error(`${asked.error.error_code}: ${asked.error.message}`);
  const answer: Schemas['ChatResponse'] = asked.data as Schemas['ChatResponse'];

  const found = await client.POST('/search', { body: { query: question } });
  if (found.error) throw new Error(found.error.message);
  const scores: number[] = found.data.results.map((result) => result.similarity_score);

  const listed = await client.GET('/threads', { params: { query: { limit: 10 } } });
  if (listed.error) throw new Error(listed.error.message);
  const thread = await client.GET('/threads/{session_id}', { params: { path: { session_id: session } } });
  if (thread.error) throw new Error(thread.error.message);
  const patch: Schemas['ThreadPatch'] = { metadata: { shelf: ['robots', { depth: 2 }], gone: null } };
  const changed = await client.PATCH('/threads/{session_id}', {
    params: { path: { session_id: session } },
    body: patch,
  });
  if (changed.error) throw new Error(changed.error.message);

  const refused = await client.POST('/chat', { body: { message: ' ' } });
  if (!refused.error) throw new Error('A blank question was accepted');
  const codes: Schemas['Error']['error_code'] = refused.error.error_code;

  const streamed = await client.POST('/chat/stream', { body: { message: question }, parseAs: 'text' });
  if (streamed.error) throw new Error(streamed.error.message);

  return {
    answer: answer.answer,
    session: answer.session_id,
    results: scores.length,
    threads: listed.data.threads.map((one) => one.session_id),
    messages: thread.data.messages.map((message) => message.content),
    refusal: { status: refused.response.status, error_code: codes },
    streamed: read(String(streamed.data)),
  };
}

function read(stream: string) {
  const events = stream.split('\n\n').map((frame) => ({
    event: /^event: ?(.*)$/m.exec(frame)?.[1],
    data: /^data: ?(.*)$/m.exec(frame)?.[1] ?? 'null',
  }));
  const text = events
    .filter(({ event }) => event === 'delta')
    .map(({ data }) => (JSON.parse(data) as Schemas['DeltaEvent']).text)
    .join('');
  const last = events.find(({ event }) => event === 'completed');
  const completed = JSON.parse(last?.data ?? 'null') as Schemas['ChatResponse'] | null;
  return { text, answer: completed?.answer ?? null };
}
