/** What stands below the title of a call's page: what is special about the call. */
import type { Route } from '../calls/route.ts';
import { actionNameOf } from './calls.ts';
import { link } from './markup.ts';

export function noteOf(route: Route): string {
  const { isDeprecated, actions, path, otherStatus, status, isWrite, validatesAddresses } = route;
  const named = actions.filter((action) => action !== undefined);
  const isOptional = named.length < actions.length;
  const alias = named.map((action) => `<code>${actionNameOf(path)}=${action}</code>`).join(', ');
  const notes = [
    ...(isDeprecated ? ['<strong>Deprecated.</strong> It keeps working.'] : []),
    ...(isOptional && named.length > 0 ? [`${alias} means the same as no action.`] : []),
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
