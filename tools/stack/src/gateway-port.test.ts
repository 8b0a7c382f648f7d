import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { gatewayAddress } from './gateway-port.js';
import { freePorts } from './stores/free-port.js';

it("the gateway's port is the requested one when that is free", async () => {
  const [port] = await freePorts(1);
  expect(await gatewayAddress({ PORT: String(port) })).toEqual({
    host: '127.0.0.1',
    port,
    url: `http://127.0.0.1:${port}`,
  });
});

it("the gateway's port is refused when the requested one is taken", async () => {
  const [port = 0] = await freePorts(1);
  await occupy(port);
  await expect(gatewayAddress({ PORT: String(port) })).rejects.toMatchObject({
    message: `port ${port} on 127.0.0.1 is taken or not allowed`,
    remedy: expect.stringMatching(/^Choose another: PORT=\d+ npm start$/) as string,
  });
});

it("the gateway's port is the next free one, with a notice, when PORT is not set and the default is taken", async () => {
  await occupy(8787);
  const address = await gatewayAddress({});
  expect(address.port).toBeGreaterThan(8787);
  expect(address.notice).toBe(`Port 8787 is taken; the gateway listens on ${address.port} instead.`);
});

it.each(['0', '65536', 'http', '80.5'])("the gateway's port is refused for PORT=%s", async (PORT) => {
  await expect(gatewayAddress({ PORT })).rejects.toThrow(`PORT is '${PORT}', which is no port`);
});

it('the address of the gateway is shown as a loopback URL when the gateway listens everywhere', async () => {
  const [port] = await freePorts(1);
  const { host, url } = await gatewayAddress({ HOST: '0.0.0.0', PORT: String(port) });
  expect([host, url]).toEqual(['0.0.0.0', `http://127.0.0.1:${port}`]);
});

async function occupy(port: number): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1');
  // Another process may hold it already, which serves as well.
  await Promise.race([once(server, 'listening'), once(server, 'error').catch(() => {})]);
  onTestFinished(() => void server.close());
}
