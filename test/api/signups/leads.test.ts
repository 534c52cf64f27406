/** Where a sign-up leads: the tenant's address with the tracking. */
import test from 'ava';
import { withTracking } from '../../../api/resources/signups/page/place.ts';

const addresses = [
  ['https://a.example/ok', 'https://a.example/ok?tracking=Zk3Pq'],
  ['https://a.example/ok?p=1#top', 'https://a.example/ok?p=1&tracking=Zk3Pq#top'],
  ['https://a.example/ok#top', 'https://a.example/ok?tracking=Zk3Pq#top'],
  ['https://a.example/ok#top?p=1', 'https://a.example/ok?tracking=Zk3Pq#top?p=1'],
  ['https://a.example/ok?', 'https://a.example/ok?tracking=Zk3Pq'],
  ['https://a.example/ok?p=1&', 'https://a.example/ok?p=1&tracking=Zk3Pq'],
  ['https://a.example/ok?a=%20b&c', 'https://a.example/ok?a=%20b&c&tracking=Zk3Pq'],
  ['https://a.example/grüß', 'https://a.example/gr%C3%BC%C3%9F?tracking=Zk3Pq'],
] as const;

for (const [address, expected] of addresses) {
  test(`${address} leads to ${expected}`, (t) => {
    t.is(withTracking(address, 'Zk3Pq'), expected);
  });
}
