import { expect, it, onTestFinished } from 'vitest';
import { localSite, redirect } from '../../../test/local-site.js';
import { followRedirects } from './follow-redirects.js';
import { PrivateAddress } from './public-address.js';
import { SiteConnection } from './site-connection.js';
import { siteSettings, type SiteOptions } from './site-options.js';

const loopback = async () => [{ address: '127.0.0.1', family: 4 }];
const anywhere = { maxBytes: 1000, checkRedirect: () => {} };

function connection(options: SiteOptions): SiteConnection {
  const opened = new SiteConnection(siteSettings(options));
  onTestFinished(() => opened.close());
  return opened;
}

const { signal } = new AbortController();

it('a connection goes to the address that the given resolver returned', async () => {
  const site = await localSite(() => ({ '/page': 'P' }));
  const url = new URL('/page', site.origin.replace('127.0.0.1', 'no-such-host.invalid'));
  const fetched = await followRedirects(
    connection({ allowPrivate: true, resolve: loopback }),
    url,
    anywhere,
    signal,
  );
  expect(Buffer.from(fetched.bytes).toString()).toBe('P');
});

it('a name with a private address is not connected to', async () => {
  const site = await localSite(() => ({ '/page': 'P' }));
  const url = new URL('/page', site.origin.replace('127.0.0.1', 'book.example'));
  const asking = connection({ resolve: loopback }).request(url, signal);
  await expect(asking).rejects.toThrow(PrivateAddress);
  expect(site.sockets.size).toBe(0);
});

it.each([
  'http://169.254.169.254/latest/meta-data',
  'http://[::ffff:127.0.0.1]:1/',
  'http://0x7f.1:1/',
  'http://inside.example/',
])('a redirect to %s is refused, even where redirects to any address are allowed', async (to) => {
  const site = await localSite(() => ({ '/page': redirect('/next'), '/next': redirect(to) }));
  const open = connection({ allowPrivate: true, resolve: loopback });
  const guarded = connection({ resolve: loopback });
  // The first two steps are on this machine and must be allowed; the rest is as in production.
  const request: SiteConnection['request'] = (url, limit) =>
    (url.origin === site.origin ? open : guarded).request(url, limit);
  const steps = { request } as SiteConnection;
  await expect(followRedirects(steps, new URL('/page', site.origin), anywhere, signal)).rejects.toThrow(
    PrivateAddress,
  );
  expect(site.requested).toEqual(['/page', '/next']);
});
