/** The statuses of a call's successes, and the documents that it answers with each. */
import type { z } from 'zod';
import type { XmlRoute } from '../calls/route-types.ts';
import { statusCodec } from '../calls/status-schema.ts';

/** The schemas of the documents by status. */
export type Successes = Readonly<Record<number, readonly z.ZodType[]>>;

export function successesOf({
  status,
  otherStatus,
  validatesAddresses,
  response,
}: XmlRoute): Successes {
  const own = [response, ...(response.others ?? [])].map(({ schema }) => schema);
  const usual = { [status]: own, ...(otherStatus === undefined ? {} : { [otherStatus]: own }) };
  if (!validatesAddresses) return usual;
  return { ...usual, 200: own, 201: [...(usual[201] ?? []), statusCodec.schema] };
}
