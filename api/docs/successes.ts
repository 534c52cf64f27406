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
  const others = response.others ?? [];
  const shared = [response, ...others.filter((other) => other.status === undefined)];
  const at = (code: number): readonly z.ZodType[] => {
    const only = others.filter((other) => other.status === code);
    return (only.length > 0 ? only : shared).map(({ schema }) => schema);
  };
  const own = at(status);
  const usual = {
    [status]: own,
    ...(otherStatus === undefined ? {} : { [otherStatus]: at(otherStatus) }),
  };
  if (!validatesAddresses) return usual;
  return { ...usual, 200: own, 201: [...(usual[201] ?? []), statusCodec.schema] };
}
