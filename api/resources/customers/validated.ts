/**
 * The answers of writes whose addresses are validated: 200 with the document if they are valid, 201
 * with a status that lists what is wrong, or could not be validated, if not; saved either way.
 */
import { maskCardNumbers } from '../../../domain/payments/card-masking.ts';
import {
  faultsOfAddresses,
  type PlacedFault,
  type SentAddress,
} from '../../../operations/customers/addresses.ts';
import type { CustomerAddress } from '../../../operations/context/locks.ts';
import type { TenantInfo } from '../../../operations/context/context.ts';
import type { WriteOptions } from '../../calls/call.ts';
import { shownValue } from '../../calls/errors.ts';
import type { RouteDependencies } from '../../calls/services.ts';
import { statusCodec, type StatusDocument } from '../../calls/status-schema.ts';
import type { Encoder } from '../../xml/codec.ts';
import type { CustomerCreateInput, CustomerUpdateInput } from './schema.ts';

/** Either is an answer of a write whose addresses are validated. */
export type Validated<Document> = Document | StatusDocument;

/** Writes the document, or the status in its place. */
export function validated<Document extends object>(
  codec: Encoder<Document>,
): Encoder<Validated<Document>> {
  const isStatus = (each: Validated<Document>): each is StatusDocument => 'success' in each;
  return {
    name: codec.name,
    schema: codec.schema,
    encode: (each) => (isStatus(each) ? statusCodec.encode(each) : codec.encode(each)),
    encodeInSlices: (each) =>
      isStatus(each) ? statusCodec.encodeInSlices(each) : codec.encodeInSlices(each),
  };
}

/** What the validation decides about an answer, before the transaction. */
export interface Verdict {
  readonly options: WriteOptions;
  /** The document of a success, or the status in its place. */
  readonly answer: <Document>(document: Document, customer: Saved) => Validated<Document>;
}

interface Saved {
  readonly id: number;
  readonly extCustomerRef: string | null;
  readonly version?: number;
}

/** @param stored the customer that a change concerns; null if it is new */
export async function verdictOf(
  dependencies: RouteDependencies,
  tenant: TenantInfo,
  sent: readonly SentAddress[],
  stored: CustomerAddress | null,
): Promise<Verdict> {
  const faults = await faultsOfAddresses(dependencies, tenant, sent, stored);
  if (faults === null) return { options: {}, answer: (document) => document };
  if (faults.length === 0) return { options: { status: 200 }, answer: (document) => document };
  return { options: { status: 201 }, answer: (_document, customer) => savedWith(faults, customer) };
}

function savedWith(
  faults: readonly PlacedFault[],
  { id, extCustomerRef, version }: Saved,
): StatusDocument {
  const isInvalid = faults.some(({ code }) => code === 'address.invalid');
  const status = {
    success: true,
    message: `saved, but the address ${isInvalid ? 'is invalid' : 'was not validated'}`,
    errors: faults.map(({ code, path, text, value }) => ({
      code,
      // The text may quote the address: it has the words of a tax provider.
      text: `${path} ${maskCardNumbers(text)}${value === null ? '' : `, not ${shownValue(value)}`}`,
    })),
    customer: { id, extCustomerRef },
  };
  // The ETag is the customer's, as with its document.
  return Object.assign({ version }, status);
}

/** The addresses in a document of a customer. */
export function addressesOf({
  billingContact,
  salesContact,
}: CustomerCreateInput | CustomerUpdateInput): readonly SentAddress[] {
  return [
    { kind: 'billing', path: 'customer/billingContact', address: billingContact?.address },
    { kind: 'sales', path: 'customer/salesContact', address: salesContact?.address },
  ];
}
