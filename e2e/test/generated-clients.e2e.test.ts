import { lintDocument, makeClients, withFolder, type Consumer } from '@quire/api-clients';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startAnsweringQuire, type AnsweringQuire } from './answering-quire.js';

const QUESTION = 'How do ROS 2 nodes communicate over topics?';

let quire: AnsweringQuire;
let document: { servers: unknown; paths: object };
let baseUrl: string;
beforeAll(async () => {
  quire = await startAnsweringQuire();
  [baseUrl = ''] = quire.gateways;
  document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as typeof document;
});
afterAll(() => quire.close());

it('the served OpenAPI document passes the recommended rules of Redocly', async () => {
  expect(await lintDocument(document)).toEqual([]);
});

it('the server in the OpenAPI document is the gateway that served it', () => {
  expect(document.servers).toEqual([expect.objectContaining({ url: '/' })]);
});

describe('clients generated from the served document and compiled strictly', () => {
  // A version 7 UUID, which databases and clients generate now.
  const sessions = {
    'openapi-fetch': '017f22e2-79b0-7cc3-98c4-dc0c0c07398f',
    'hey-api': '017f22e2-79b0-7cc3-98c4-dc0c0c073990',
  };

  it('generated clients ask, search, read threads, handle refusals and stream with types that match the gateway', async () => {
    await withFolder(async (folder) => {
      const clients: Record<keyof typeof sessions, Consumer> = await makeClients(document, folder);
      for (const [name, session] of Object.entries(sessions) as [keyof typeof sessions, string][]) {
        const seen = await clients[name].use(baseUrl, session, QUESTION);
        expect({ name, ...seen }).toEqual({
          name,
          answer: expect.stringContaining('[1]') as string,
          session,
          results: 5,
          threads: expect.arrayContaining([session]) as string[],
          messages: [QUESTION, seen.answer],
          refusal: { status: 400, error_code: 'EMPTY_QUERY' },
          streamed: { text: seen.answer, answer: seen.answer },
        });
      }
    });
  });
});
