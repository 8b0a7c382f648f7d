import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startScriptedProviders, vectors, type ScriptedProviders } from '@quire/scripted-providers';
import { searchResponseSchema } from '@quire/shared/contracts';
import { dropIndex } from '@quire/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startQuire, type QuireProcesses } from './quire-processes.js';

const BOOK = ['books/physical-ai/docs/ros2', '--base-url', 'https://physical-ai.example/docs/ros2'];
let providers: ScriptedProviders;
let quire: QuireProcesses;

beforeAll(async () => {
  providers = await startScriptedProviders();
  quire = await startQuire({
    EMBEDDER: 'openai',
    EMBEDDING_API_KEY: 'key',
    EMBEDDING_BASE_URL: providers.openaiBaseUrl,
    EMBEDDING_DIMENSIONS: '256',
    CONFIDENCE_PRESET: 'lenient',
  });
});
afterAll(async () => {
  await quire.close();
  await providers.close();
  await dropIndex(quire.env['QDRANT_COLLECTION'] ?? '');
});

const search = async (query: string) => {
  const response = await quire.ask({ query }, '/search');
  expect(response.status).toBe(200);
  return searchResponseSchema.parse(await response.json()).results;
};
const embeddedTexts = () =>
  providers.embeddings.requests.reduce((sum, { body }) => sum + body.texts.length, 0);

describe('quire ingest', () => {
  it('quire ingest fills the index, and embeds nothing when it is run again', async () => {
    expect(await quire.quire('ingest', ...BOOK)).toMatchObject({ code: 0 });
    expect((await search('quality of service durability'))[0]?.source_url).toContain(
      '/ros2/quality-of-service',
    );
    const before = embeddedTexts();
    const again = await quire.quire('ingest', ...BOOK);
    expect(again.output).toMatch(/\d+ chunks: 0 embedded, \d+ reused/);
    // The one text is the embedding call that checks the key.
    expect(embeddedTexts()).toBe(before + 1);
  });

  it('quire ingest reads the pages of a site from its sitemap', async () => {
    const site = await startSite();
    const { code, output } = await quire.quire('ingest', site.url, '--allow-private');
    expect({ code, output }).toMatchObject({ code: 0 });
    expect((await search('gripper fingers'))[0]).toMatchObject({
      source_url: `${site.url}/arm/#fingers`,
      section: 'Fingers',
      title: 'The arm',
    });
    site.server.close();
  });

  it('quire ingest moves the index to another embedder while questions are answered', async () => {
    providers.embeddings.byDefault(vectors({ latencyMs: 20 }));
    const old = quire.processes.find(({ name }) => name === 'retrieval-worker');
    await quire.start('retrieval-worker', { EMBEDDING_DIMENSIONS: '128' });
    await old?.kill('SIGTERM');
    const done = new AbortController();
    const answered: number[] = [];
    const asking = (async () => {
      for (let i = 0; !done.signal.aborted; i += 1)
        answered.push((await search(`durability of messages, ${i}`)).length);
    })();
    const { code, output } = await quire.quire('ingest', ...BOOK);
    done.abort();
    await asking;
    expect({ code, output }).toMatchObject({ code: 0 });
    expect(answered.length).toBeGreaterThan(0);
    expect(answered).not.toContain(0);
    const status = await quire.quire('index', 'status', '--json');
    expect(JSON.parse(status.output)).toMatchObject({ dimensions: 128 });
    expect((await search('gripper fingers'))[0]).toMatchObject({ section: 'Fingers' });
  });
});

/** Two pages, and one that robots.txt disallows. */
async function startSite(): Promise<{ url: string; server: Server }> {
  const page = (title: string, body: string) =>
    `<html><head><title>${title}</title></head><body><nav>Home Arm</nav><main><h1>${title}</h1>${body}</main></body></html>`;
  const server = createServer((request, response) => {
    const urls = ['/', '/arm/', '/private/'].map((path) => `<url><loc>${url}${path}</loc></url>`);
    const files: Record<string, [string, string]> = {
      '/robots.txt': ['text/plain', 'User-agent: *\nDisallow: /private/\n'],
      '/sitemap.xml': ['application/xml', `<urlset>${urls.join('')}</urlset>`],
      '/': ['text/html', page('Start', '<p>This robot has wheels and one arm.</p>')],
      '/arm/': [
        'text/html',
        page('The arm', '<h2 id="fingers">Fingers</h2><p>The gripper has three fingers of rubber.</p>'),
      ],
    };
    const [type, body] = files[request.url ?? ''] ?? ['text/plain', 'none'];
    response.writeHead(files[request.url ?? ''] ? 200 : 404, { 'content-type': type }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, server };
}
