/** Which addresses callbacks may go to. */
import test from 'ava';
import {
  addressesOf,
  isLoopbackHost,
  isPrivateHost,
  isPublicAddress,
} from '../../../providers/callbacks/line.ts';

const publicOnes = [
  '8.8.8.8',
  '93.184.216.34',
  '172.32.0.1',
  '100.128.0.1',
  '198.20.0.1',
  '2606:4700::1111',
  '2001:4860:4860::8888',
  '2a00:1450::1',
  '::ffff:8.8.8.8',
];
const others = {
  loopback: ['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1'],
  'IPv4-compatible, in both spellings': ['::7f00:1', '::127.0.0.1', '::a00:1', '::808:808', '::2'],
  private: [
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '::ffff:10.0.0.1',
    'fc00::1',
    'fdff:ffff::1',
  ],
  'link-local': ['169.254.169.254', 'fe80::1', 'febf::1', '::ffff:169.254.169.254', 'fec0::1'],
  shared: ['100.64.0.1', '100.127.255.255', '0.0.0.0', '0.1.2.3', '::', '255.255.255.255'],
  reserved: [
    '192.0.0.1',
    '192.0.0.171',
    '192.0.2.1',
    '192.88.99.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    'ff02::1',
    'ff0e::1',
    '100::1',
    '2001:2::1',
    '2001:db8::1',
    '3fff::1',
    '5f00::1',
  ],
  'a way to an IPv4 address': [
    '64:ff9b::7f00:1',
    '64:ff9b::808:808',
    '64:ff9b:1::7f00:1',
    '::ffff:0:7f00:1',
    '2002:7f00:1::',
    '2001::1',
    '2001:0:53aa:64c::1',
  ],
  'outside of the blocks that are assigned': ['1::1', '200::1', '4000::1', 'a000::1', 'f000::1'],
  'no address': ['', 'example.com', '1.2.3', '127.1'],
};

test('public addresses of both families are allowed', (t) => {
  for (const address of publicOnes) t.true(isPublicAddress(address), address);
});

for (const [what, addresses] of Object.entries(others)) {
  test(`an address that is ${what} is refused`, (t) => {
    for (const address of addresses) t.false(isPublicAddress(address), address);
  });
}

test('a URL with a private address is recognized however it is written', (t) => {
  for (const host of [
    'localhost',
    'LOCALHOST.',
    'demo.localhost',
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '10.0.0.1',
    '[::1]',
    '[::7f00:1]',
    '[::127.0.0.1]',
    '[::ffff:10.0.0.1]',
    '[0:0:0:0:0:ffff:7f00:1]',
    '169.254.169.254',
  ]) {
    t.true(isPrivateHost(`http://${host}:8080/hook`), host);
  }
  for (const host of ['example.com', 'localhost.example.com', '8.8.8.8', '[2606:4700::1111]']) {
    t.false(isPrivateHost(`https://${host}/hook`), host);
  }
});

test('an address is not looked up, and neither is localhost', async (t) => {
  const resolve = () => Promise.reject(new Error('was asked'));
  t.deepEqual(await addressesOf('8.8.8.8', resolve), ['8.8.8.8']);
  t.deepEqual(await addressesOf('demo.localhost', resolve), ['127.0.0.1']);
  t.deepEqual(await addressesOf('example.com', () => Promise.resolve(['8.8.8.8'])), ['8.8.8.8']);
});

test('a server on a loopback address is reached from its own machine alone', (t) => {
  for (const host of ['127.0.0.1', '::1', 'localhost']) t.true(isLoopbackHost(host), host);
  for (const host of ['0.0.0.0', '::', '10.0.0.1', 'example.com']) {
    t.false(isLoopbackHost(host), host);
  }
});
