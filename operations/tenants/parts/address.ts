/** A postal address, as several parts of a tenant file have one. */
import { z } from 'zod';
import * as kind from '../file/scalars.ts';

export const address = z.strictObject({
  street1: kind.text().optional(),
  street2: kind.text().optional(),
  city: kind.text().optional(),
  state: kind.text().optional(),
  zip: kind.text().optional(),
  country: kind.text().optional().describe('The name of the country.'),
  countryCode: kind.country().optional(),
});
