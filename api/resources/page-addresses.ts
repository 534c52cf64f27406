/** Query parameters that are addresses, of the calls that start hosted pages. */
import { z } from 'zod';
import {
  ADDRESS_LENGTH_MAX,
  DEFAULT_STYLESHEET,
  isPageAddress,
} from '../../domain/hosted-pages/address.ts';

const AN_ADDRESS =
  'an absolute address that begins with https:// or http://, without user info, backslashes, ' +
  'blanks and control characters';

export const where = (holds: (address: string) => boolean, expected: string) =>
  z
    .string()
    .max(ADDRESS_LENGTH_MAX, { abort: true })
    .refine(holds, { params: { expected }, abort: true })
    .meta({ 'x-expected': expected });

/** Of its hosts, those that are allowed are the tenant's matter. */
export const pageAddress = () => where(isPageAddress, AN_ADDRESS);

export const stylesheet = () =>
  where(
    (address) => address === DEFAULT_STYLESHEET || isPageAddress(address),
    `${DEFAULT_STYLESHEET}, or ${AN_ADDRESS}`,
  );
