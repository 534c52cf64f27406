/** Schemas that several resources share. */
import { z } from 'zod';
import {
  COPIES_LENGTH_MAX,
  COPIES_MAX,
  MAIL_ADDRESS_LENGTH_MAX,
  copyAddresses,
  isMailAddress,
} from '../../domain/mail/kinds.ts';
import { billingPeriods } from '../../domain/calendar/calendar.ts';
import { termUnits } from '../../domain/calendar/terms.ts';
import { compare, isDecimal } from '../../domain/money/money.ts';
import {
  METADATA_ENTRIES_MAX,
  METADATA_VALUE_LENGTH_MAX,
  type Metadata,
  type MetadataEntry,
  metadataKey,
  metadataOf,
} from '../../domain/text/metadata.ts';
import { decimal, enumeration, listOf, text } from '../xml/types.ts';

export const unitsOfTerms = () => enumeration(termUnits);
export const billingPeriod = () => enumeration(billingPeriods);

const PURCHASE_ORDER_LENGTH_MAX = 100;
export const purchaseOrder = () => text(PURCHASE_ORDER_LENGTH_MAX);

/** A brand, as long as any text, and the last digits. */
const CONTEXT_LENGTH_MAX = 300;
export const paymentMethodContext = () => text(CONTEXT_LENGTH_MAX);

export const aboveZero = () =>
  decimal()
    .refine((value) => !isDecimal(value) || compare(value, '0') > 0, {
      params: { expected: 'a decimal above 0, for example 2 or 0.5' },
    })
    .meta({ format: 'decimal' });

const AN_ADDRESS = 'an e-mail address';

/** The pattern is what the documents can express of the rule. */
export const mailAddress = () =>
  z
    .string()
    .max(MAIL_ADDRESS_LENGTH_MAX, { abort: true })
    .regex(/^[^@\s]+@[^@\s]+$/, { abort: true })
    .refine(isMailAddress, { params: { expected: AN_ADDRESS } })
    .meta({ 'x-expected': AN_ADDRESS });

const SOME_ADDRESSES = `up to ${COPIES_MAX} e-mail addresses with commas between them`;

export const mailAddresses = () =>
  z
    .string()
    .max(COPIES_LENGTH_MAX, { abort: true })
    .refine((value) => copyAddresses(value) !== null, { params: { expected: SOME_ADDRESSES } })
    .meta({ 'x-expected': SOME_ADDRESSES });

/* The metadata of objects: the element of each that has it, and of the calls that replace it. */

const A_KEY = '1 to 40 characters of A-Z a-z 0-9 _ . -';

/** People may write card numbers into it. */
const metadataValue = () =>
  z.string().min(1).max(METADATA_VALUE_LENGTH_MAX).meta({ 'x-masksCards': true });

const entrySaid = z.strictObject({ key: text(), value: text(METADATA_VALUE_LENGTH_MAX) });
const entryTaken = z.strictObject({
  key: z.string().regex(metadataKey).meta({ 'x-expected': A_KEY }),
  value: metadataValue(),
});

/** What requests give of it, and what answers say: entries by ascending key. */
export const metadata = {
  takes() {
    const entries = listOf('entry', entryTaken);
    return entries.superRefine(refuseEntries).meta({ ...entries.meta() });
  },
  says: () => listOf('entry', entrySaid),
} as const;

function refuseEntries(entries: readonly MetadataEntry[], context: z.RefinementCtx): void {
  if (entries.length > METADATA_ENTRIES_MAX) {
    const message = `metadata has at most ${METADATA_ENTRIES_MAX} entries, not ${entries.length}`;
    context.addIssue({ code: 'custom', message, params: { code: 'metadata.tooMany' } });
  }
  const seen = new Set<string>();
  for (const [index, { key }] of entries.entries()) {
    const expected = 'a key that no other entry has';
    if (seen.has(key))
      context.addIssue({ code: 'custom', path: [index, 'key'], params: { expected } });
    seen.add(key);
  }
}

/** Absent stays absent; without entries it is cleared. */
export function metadataInput(
  entries: readonly MetadataEntry[] | null | undefined,
): Metadata | null | undefined {
  return entries === undefined ? undefined : metadataOf(entries ?? []);
}
