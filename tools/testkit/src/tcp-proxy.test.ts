import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { eventually } from './eventually.js';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.js';

let echo: Server;
let proxy: TcpProxy;
const clients: Socket[] = [];

beforeEach(async () => {
  echo = createServer((socket) => socket.on('error', () => {}).pipe(socket)).listen(0, '127.0.0.1');
  await once(echo, 'listening');
  const { port } = echo.address() as AddressInfo;
  proxy = await startTcpProxy(`redis://:secret@127.0.0.1:${port}/7`);
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  await proxy.close();
  echo.close();
});

it('the TCP proxy keeps the URL except its address', () => {
  expect(proxy.url).toMatch(/^redis:\/\/:secret@127\.0\.0\.1:\d+\/7$/);
});

it('the TCP proxy passes bytes both ways', async () => {
  const client = await connected();
  client.write('hello');
  expect(await received(client)).toBe('hello');
});

it('the TCP proxy breaks open connections and refuses new ones while it is cut', async () => {
  const client = await connected();
  const closed = once(client, 'close');
  await proxy.cut();
  await closed;
  await expect(connected()).rejects.toThrow('ECONNREFUSED');
  await proxy.restore();
  const again = await connected();
  again.write('back');
  expect(await received(again)).toBe('back');
});

it('the TCP proxy accepts connections but passes nothing while it is paused, and everything afterwards', async () => {
  const before = await connected();
  proxy.pause();
  const during = await connected();
  let arrived = '';
  for (const client of [before, during]) {
    client.on('data', (data) => (arrived += String(data)));
    client.write('x');
  }
  await sleep(100);
  expect(arrived).toBe('');
  await proxy.restore();
  await eventually(() => expect(arrived).toBe('xx'));
});

it('the TCP proxy passes nothing more on connections that it has stranded, not even their end, and serves new ones', async () => {
  const before = await connected();
  before.write('x');
  await received(before);
  proxy.strand();
  let told = false;
  before.on('data', () => (told = true)).on('close', () => (told = true));
  before.write('y');
  await proxy.restore();
  const after = await connected();
  after.write('z');
  expect(await received(after)).toBe('z');
  echo.close();
  await sleep(100);
  expect(told).toBe(false);
});

it('the TCP proxy breaks open connections and connects new ones to the new target when it is retargeted', async () => {
  const before = await connected();
  const closed = once(before, 'close');
  proxy.retarget(await elsewhere());
  await closed;
  expect(await received(await connected())).toBe('other');
});

it('the TCP proxy keeps open connections and connects new ones to the new target when it is redirected', async () => {
  const before = await connected();
  proxy.redirect(await elsewhere());
  expect(await received(await connected())).toBe('other');
  before.write('still here');
  expect(await received(before)).toBe('still here');
});

async function elsewhere(): Promise<string> {
  const other = createServer((socket) => socket.end('other')).listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  return `tcp://127.0.0.1:${(other.address() as AddressInfo).port}`;
}

async function connected(): Promise<Socket> {
  const client = connect({ port: Number(new URL(proxy.url).port), host: '127.0.0.1' });
  await once(client, 'connect');
  client.on('error', () => {});
  clients.push(client);
  return client;
}

async function received(client: Socket): Promise<string> {
  const [data] = (await once(client, 'data')) as [Buffer];
  return data.toString();
}
