/** Hosted sign-ups: the link to a page, and what became of it. */
import { hashInTurn } from '../../../operations/access/hash-turns.ts';
import { readSignups, readTrackedSignup } from '../../../operations/signups/read.ts';
import { startFaults } from '../../../operations/signups/start-faults.ts';
import { startSignup } from '../../../operations/signups/start.ts';
import type { TenantInfo } from '../../../operations/context/context.ts';
import { RequestError } from '../../calls/errors.ts';
import { route, writeRoute, type Route } from '../../calls/route.ts';
import { reading, type RouteDependencies } from '../../calls/services.ts';
import { tenantOrigin } from '../../calls/tenant-address.ts';
import { signupDocument, startInput } from './mapping.ts';
import { signupCodec, signupLinkCodec, type SignupLinkDocument } from './schema.ts';
import { startQuery, startRequires, type StartQuery } from './start-query.ts';

export function signupRoutes(dependencies: RouteDependencies): Route[] {
  return [
    writeRoute<SignupLinkDocument, typeof startQuery>(dependencies, {
      method: 'GET',
      path: '/signup/start',
      summary: 'Start a hosted sign-up, and get the address of its page',
      audited: 'signup',
      right: 'write',
      query: startQuery,
      requires: startRequires,
      response: signupLinkCodec,
      textOf: ({ url }) => url,
      keepsSealed: true,
      async handler({ tenant, query, write }) {
        const input = startInput(query);
        const origin = tenantOrigin(dependencies, tenant.label);
        const faults = await startFaults(dependencies, tenant, input, origin);
        if (faults.length > 0) throw new RequestError(400, faults);
        const passwordHash = await hashOf(dependencies, tenant, query);
        return write(async (context) => {
          const { id, token } = await startSignup(context, input, passwordHash);
          const [view] = await readSignups(context.tx, tenant, [id]);
          if (view === undefined) throw new Error('a signup that was started is not there');
          return { url: `${origin}/signup/${token}`, signup: signupDocument(view) };
        });
      },
    }),
    route({
      method: 'GET',
      path: '/signup/verify/:tracking',
      summary: 'What became of a hosted sign-up',
      right: 'read',
      response: signupCodec,
      async handler({ tenant, pathTexts }) {
        const tracking = pathTexts['tracking'] ?? '';
        return signupDocument(
          await reading(dependencies, tenant, (tx) => readTrackedSignup(tx, tenant, tracking)),
        );
      },
    }),
  ];
}

/** Hashing is slow, so it comes before the transaction. */
async function hashOf(
  { hashCost }: RouteDependencies,
  tenant: TenantInfo,
  { passwd }: StartQuery,
): Promise<string | null> {
  return passwd === undefined ? null : hashInTurn(passwd, { hashCost, tenant });
}
