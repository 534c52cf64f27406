/** The gateway that charges a tenant's cards and bank accounts. */
import { z } from 'zod';
import { gatewayNames, gatewayTable } from '../../../providers/gateway/gateway.ts';
import { isGiven, type Loose } from '../file/loose.ts';
import type { Report } from '../file/mistakes.ts';
import * as kind from '../file/scalars.ts';
import {
  sealed,
  secretContext,
  withheldSecret,
  type SecretPlace,
  type StoredSecret,
  type Storing,
} from '../file/secrets.ts';

const schema = z.strictObject({
  type: kind.choice(gatewayNames).default('sandbox'),
  secretKey: kind.secret().optional().describe('Needed for stripe. Stored encrypted.'),
  webhookSecret: kind
    .secret()
    .optional()
    .describe(
      'For stripe: of its endpoint `/gateway/stripe` on the host of the tenant, by which its events ' +
        'are verified; there is no such address without it. Stored encrypted.',
    ),
});

type Gateway = z.output<typeof schema>;
type LooseGateway = Loose<{ readonly gateway: Gateway }>;

const secretKeys = ['secretKey', 'webhookSecret'] as const;
type StoredGateway = Pick<Gateway, 'type'> & {
  readonly [Key in (typeof secretKeys)[number]]?: StoredSecret;
};

const uses = { secretKey: 'gateway', webhookSecret: 'gateway/webhook' } as const;

export const gateway = {
  schema: schema.prefault({}).describe('What charges cards and bank accounts.'),
  check: ({ gateway: given }: LooseGateway, report: Report): void => {
    const type = gatewayNames.find((name) => name === given?.type);
    if (given && type && gatewayTable[type].hasAccount && !isGiven(given, 'secretKey')) {
      report(['gateway', 'secretKey'], `is needed for the type ${type}`);
    }
    if (given?.type !== 'stripe' && given?.webhookSecret !== undefined) {
      report(['gateway', 'webhookSecret'], 'is for the type stripe');
    }
  },
  secrets: ({ gateway: given }: LooseGateway): SecretPlace[] =>
    secretKeys.map((key) => ({ path: ['gateway', key], secret: given?.[key] })),
  store: (value: Gateway, storing: Storing<StoredGateway>): StoredGateway => {
    const { label, previous } = storing;
    const secrets = secretKeys
      .filter((key) => value[key] !== undefined)
      .map((key) => {
        const context = secretContext(label, uses[key]);
        const path = ['gateway', key];
        return [key, sealed(storing, { path, context, before: previous?.[key] })] as const;
      });
    return { type: value.type, ...Object.fromEntries(secrets) };
  },
  show: ({ type, ...secrets }: StoredGateway) => ({
    type,
    ...Object.fromEntries(
      Object.entries(secrets).map(([key, secret]) => [key, withheldSecret(secret)]),
    ),
  }),
};
