import { isIPv6 } from 'node:net';
import { expect, it } from 'vitest';
import { isPublicAddress, lookupWith, PrivateAddress, refusePrivateLiteral } from './public-address.js';

it.each([
  ['loopback', 'http://127.0.0.1/'],
  ['loopback, short', 'http://127.1/'],
  ['loopback, decimal', 'http://2130706433/'],
  ['loopback, hexadecimal', 'http://0x7f000001/'],
  ['loopback, octal', 'http://0177.0.0.01/'],
  ['loopback, full-width digits', 'http://１２７.0.0.1/'],
  ['loopback, another one', 'http://127.255.255.254/'],
  ['this host', 'http://0.0.0.0/'],
  ['this host, short', 'http://0/'],
  ['private', 'http://10.1.2.3/'],
  ['private', 'http://172.31.255.255/'],
  ['private', 'http://192.168.0.1/'],
  ['cloud metadata', 'http://169.254.169.254/latest/meta-data'],
  ['cloud metadata, Azure', 'http://168.63.129.16/metadata'],
  ['cloud metadata, Azure, mapped', 'http://[::ffff:168.63.129.16]/'],
  ['cloud metadata, Oracle', 'http://192.0.0.192/'],
  ['cloud metadata, Alibaba', 'http://100.100.100.200/'],
  ['cloud metadata by NAT64', 'http://[64:ff9b::a9fe:a9fe]/'],
  ['cloud metadata by 6to4', 'http://[2002:a9fe:a9fe::1]/'],
  ['carrier-grade NAT', 'http://100.64.0.1/'],
  ['benchmarks', 'http://198.18.0.1/'],
  ['documentation', 'http://203.0.113.7/'],
  ['multicast', 'http://224.0.0.1/'],
  ['broadcast', 'http://255.255.255.255/'],
  ['IPv6 loopback', 'http://[::1]/'],
  ['IPv6 loopback, long', 'http://[0:0:0:0:0:0:0:1]/'],
  ['IPv6 unspecified', 'http://[::]/'],
  ['IPv4-mapped', 'http://[::ffff:10.0.0.1]/'],
  ['IPv4-mapped, hexadecimal', 'http://[::ffff:7f00:1]/'],
  ['IPv4-compatible', 'http://[::127.0.0.1]/'],
  ['IPv6 link-local', 'http://[fe80::1]/'],
  ['unique local', 'http://[fd00:ec2::254]/'],
  ['site-local', 'http://[fec0::1]/'],
  ['NAT64', 'http://[64:ff9b::7f00:1]/'],
  ['NAT64, local', 'http://[64:ff9b:1::a00:1]/'],
  ['6to4', 'http://[2002:7f00:1::]/'],
  ['Teredo', 'http://[2001:0:7f00:1::]/'],
  ['IPv6 documentation', 'http://[2001:db8::1]/'],
  ['IPv6 multicast', 'http://[ff02::1]/'],
  ['never assigned', 'http://[4000::1]/'],
])('a private address is refused in the URL %s: %s', (_what, address) => {
  expect(() => refusePrivateLiteral(new URL(address))).toThrow(PrivateAddress);
});

it.each(['http://1.1.1.1/', 'http://[2606:4700::1111]/', 'http://[::ffff:8.8.8.8]/', 'http://10.example/'])(
  'a public address is accepted in the URL %s',
  (address) => {
    expect(() => refusePrivateLiteral(new URL(address))).not.toThrow();
  },
);

it.each(['', 'localhost', 'fe80::1%eth0', '999.1.1.1'])('%j is not a public address', (text) => {
  expect(isPublicAddress(text)).toBe(false);
});

const resolvesTo = (...addresses: string[]) => {
  return async () => addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
};
const look = (lookup: ReturnType<typeof lookupWith>, all: boolean) =>
  new Promise((resolve) => {
    lookup('book.example', { all }, (error, address, family) => resolve(error ?? [address, family]));
  });

it('the lookup of a connection returns public addresses, one or all', async () => {
  const lookup = lookupWith(resolvesTo('1.1.1.1', '2606:4700::1'), false);
  expect(await look(lookup, false)).toEqual(['1.1.1.1', 4]);
  const all = [
    { address: '1.1.1.1', family: 4 },
    { address: '2606:4700::1', family: 6 },
  ];
  expect(await look(lookup, true)).toEqual([all, undefined]);
});

it.each([true, false])(
  'the lookup of a connection refuses a name if any of its addresses is private (all: %s)',
  async (all) => {
    const lookup = lookupWith(resolvesTo('1.1.1.1', '127.0.0.1'), false);
    expect(await look(lookup, all)).toEqual(new PrivateAddress('book.example', '127.0.0.1'));
  },
);

it('the lookup of a connection resolves once, so that the checked address is the connected one, and again for the next connection', async () => {
  const answers = ['1.1.1.1', '127.0.0.1', '1.0.0.1'];
  const lookup = lookupWith(async () => resolvesTo(answers.shift() ?? '')(), false);
  expect(await look(lookup, false)).toEqual(['1.1.1.1', 4]);
  expect(await look(lookup, false)).toEqual(new PrivateAddress('book.example', '127.0.0.1'));
  expect(await look(lookup, true)).toEqual([[{ address: '1.0.0.1', family: 4 }], undefined]);
});

it('the lookup of a connection returns private addresses if they are allowed', async () => {
  expect(await look(lookupWith(resolvesTo('127.0.0.1'), true), false)).toEqual(['127.0.0.1', 4]);
});

it('the lookup of a connection fails for a name without addresses', async () => {
  expect(await look(lookupWith(resolvesTo(), false), true)).toEqual(new Error('book.example has no address'));
});
