import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { trackPreconnections } from './preconnections.js';

it('a connection without a request is closed, one that waits for its response is not', async () => {
  const server = createServer();
  const closePreconnections = trackPreconnections(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const asked = once(server, 'request') as Promise<[unknown, ServerResponse]>;
  const answer = fetch(`http://127.0.0.1:${port}`, { headers: { connection: 'close' } });
  const [, response] = await asked;
  const accepted = once(server, 'connection');
  const unused = connect(port, '127.0.0.1');
  await accepted;

  const closed = once(server, 'close');
  server.close();
  closePreconnections();
  await once(unused, 'close');
  response.end('here');
  expect(await (await answer).text()).toBe('here');
  await closed;
});
