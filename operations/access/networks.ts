/** Networks from which a user may log in, in CIDR notation. */
import ipaddr from 'ipaddr.js';

/**
 * What is wrong with a network; undefined if nothing is.
 *
 * @example faultOfNetwork('10.1.2.3/8') // 'must begin at 10.0.0.0/8'
 */
export function faultOfNetwork(network: string): string | undefined {
  const [address = '', bits = ''] = network.split('/');
  const isForm =
    ipaddr.IPv4.isValidFourPartDecimal(address) || /^[0-9a-f:.]*:[0-9a-f:.]*$/i.test(address);
  if (!isForm || !/^\d{1,3}$/.test(bits) || !ipaddr.isValidCIDR(network)) {
    return 'must be a network such as 203.0.113.0/24 or 2001:db8::/32';
  }
  const [given] = ipaddr.parseCIDR(network);
  if (given instanceof ipaddr.IPv6 && given.isIPv4MappedAddress()) {
    return 'must be written as a network of IPv4, such as 203.0.113.0/24';
  }
  const first = firstOf(network);
  return given.toString() === first ? undefined : `must begin at ${first}/${bits}`;
}

function firstOf(network: string): string {
  const isV4 = ipaddr.IPv4.isValidCIDR(network);
  return (isV4 ? ipaddr.IPv4 : ipaddr.IPv6).networkAddressFromCIDR(network).toString();
}

/** An address of IPv4 is one, however it is written: `::ffff:10.0.0.1`. */
export function isWithin(networks: readonly string[], address: string): boolean {
  const plain = address.replace(/%.*$/, '');
  if (!ipaddr.isValid(plain)) return false;
  const caller = ipaddr.process(plain);
  return networks.some((network) => {
    const [first, bits] = ipaddr.parseCIDR(network);
    return first.kind() === caller.kind() && caller.match(first, bits);
  });
}
