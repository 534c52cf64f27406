/** What stands below the title of a call's page: what is special about the call. */
import type { XmlRoute } from '../calls/route-types.ts';
import { selectorOf } from './calls.ts';
import { link } from './markup.ts';

export function noteOf(route: XmlRoute): string {
  const { isDeprecated, selection, otherStatus, status, isWrite, validatesAddresses } = route;
  const named = selection.values.filter((value) => value !== undefined);
  const isOptional = named.length < selection.values.length;
  const alias = named.map((value) => `<code>${selectorOf(route)}=${value}</code>`).join(', ');
  const notes = [
    ...(isDeprecated ? ['<strong>Deprecated.</strong> It keeps working.'] : []),
    ...(isOptional && named.length > 0
      ? [`${alias} means the same as no ${selection.names[0]}.`]
      : []),
    ...(otherStatus !== undefined && [status, otherStatus].includes(202)
      ? [`It answers ${Math.min(status, otherStatus)} once it is finished, else 202.`]
      : []),
    ...(validatesAddresses ? [validation] : []),
    ...(isWrite
      ? [`An ${link('/docs/guides/idempotency', 'Idempotency-Key')} makes it safe to send again.`]
      : []),
  ];
  return notes.length === 0 ? '' : `<p>${notes.join(' ')}</p>`;
}

const validation =
  'If the tenant has addresses validated, it answers 200, or 201 with a <code>&lt;status&gt;</code> ' +
  `for an address that is saved and invalid, or not validated: ${link('/docs/guides/prices#validated-addresses', 'the guide')} has the rules.`;
