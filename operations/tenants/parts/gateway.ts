/** The gateway that charges a tenant's cards and bank accounts. */
import { z } from 'zod';
import {
  ACTION_DAYS_MAX,
  DEBIT_NOTICE_DAYS_MAX,
  enteredMethods,
  gatewaySettingsOf,
} from '../../../domain/payments/gateway-settings.ts';
import { gatewayNames, gatewayTable } from '../../../providers/gateway/gateway.ts';
import { checkRepeats } from '../file/checks.ts';
import { isGiven, type Loose } from '../file/loose.ts';
import type { Report } from '../file/mistakes.ts';
import * as kind from '../file/scalars.ts';
import {
  sealed,
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
  publishableKey: kind
    .publishableKey()
    .optional()
    .describe(
      'For stripe: names the account in browsers. Without it the hosted pages take no new payment method.',
    ),
  rawCards: kind
    .flag()
    .optional()
    .describe(
      'For stripe: whether calls may send card numbers, which the account must be allowed to; ' +
        'otherwise they send tokens. `true` without it.',
    ),
  methods: z
    .array(kind.choice(enteredMethods))
    .min(1, 'must name at least one method')
    .optional()
    .describe(
      'The payment methods that the hosted pages offer: sepa for EUR, usBankAccount for USD. Only ' +
        '`card` without it. With sepa the mail `debitNotice` is enabled.',
    ),
  actionDays: kind
    .whole(0, ACTION_DAYS_MAX)
    .optional()
    .describe(
      'How many days a payer who is absent has to confirm a payment; 0: it is declined at once. ' +
        'Without it 3 if the mail `paymentAction` or a callback with `payment.actionRequired` tells ' +
        'payers, else 0.',
    ),
  debitNoticeDays: kind
    .whole(0, DEBIT_NOTICE_DAYS_MAX)
    .optional()
    .describe('How many days before a SEPA debit its payer is told. 2 without it.'),
  url: kind
    .serviceOrigin()
    .optional()
    .describe(
      "For stripe: the address of its interface, instead of `STRIPE_API_URL` or Stripe's own.",
    ),
  scriptUrl: kind
    .serviceAddress()
    .optional()
    .describe(
      "For stripe: the address of its script on the hosted pages, instead of Stripe's own.",
    ),
});

type Gateway = z.output<typeof schema>;
type LooseGateway = Loose<{
  readonly gateway: Gateway;
  readonly notifications?: { readonly enabled: readonly string[] } | undefined;
}>;

const secretKeys = ['secretKey', 'webhookSecret'] as const;
type SecretKey = (typeof secretKeys)[number];
type StoredGateway = Omit<Gateway, SecretKey> & { readonly [Key in SecretKey]?: StoredSecret };

export const gateway = {
  schema: schema.prefault({}).describe('What charges cards and bank accounts.'),
  check: (file: LooseGateway, report: Report): void => {
    checkAccount(file, report);
    checkMethods(file, report);
  },
  remarks: remarkKeyless,
  secrets: ({ gateway: given }: LooseGateway): SecretPlace[] =>
    secretKeys.map((key) => ({ path: ['gateway', key], secret: given?.[key] })),
  store: (value: Gateway, storing: Storing<StoredGateway>): StoredGateway => {
    const { previous } = storing;
    const secrets = secretKeys
      .filter((key) => value[key] !== undefined)
      .map((key) => {
        const path = ['gateway', key];
        return [key, sealed(storing, { path, before: previous?.[key] })] as const;
      });
    const { secretKey: _key, webhookSecret: _secret, ...rest } = value;
    return { ...rest, ...Object.fromEntries(secrets) };
  },
  show: ({ secretKey, webhookSecret, ...rest }: StoredGateway) => ({
    ...rest,
    ...(secretKey === undefined ? {} : { secretKey: withheldSecret(secretKey) }),
    ...(webhookSecret === undefined ? {} : { webhookSecret: withheldSecret(webhookSecret) }),
  }),
};

const ofStripe = ['webhookSecret', 'publishableKey', 'rawCards', 'url', 'scriptUrl'] as const;

function checkAccount({ gateway: given }: LooseGateway, report: Report): void {
  const type = gatewayNames.find((name) => name === given?.type);
  if (given && type && gatewayTable[type].hasAccount && !isGiven(given, 'secretKey')) {
    report(['gateway', 'secretKey'], `is needed for the type ${type}`);
  }
  if (given?.type === 'stripe') return;
  for (const key of ofStripe) {
    if (given?.[key] !== undefined) report(['gateway', key], 'is for the type stripe');
  }
}

/** A SEPA debit may not come unannounced. */
function checkMethods({ gateway: given, notifications }: LooseGateway, report: Report): void {
  checkRepeats(given?.methods, ['gateway', 'methods'], report);
  const { methods, debitNoticeDays } = gatewaySettingsOf(
    {
      methods: given?.methods?.filter((name) => name !== undefined),
      debitNoticeDays: given?.debitNoticeDays,
    },
    { tellsPayers: false },
  );
  if (!methods.includes('sepa')) return;
  if (!notifications?.enabled?.some((name) => name === 'debitNotice')) {
    report(
      ['gateway', 'methods'],
      'may have sepa only where notifications enable the mail debitNotice',
    );
  }
  if (debitNoticeDays === 0) {
    report(['gateway', 'debitNoticeDays'], 'must be 1 or more with the method sepa');
  }
}

interface WithPages {
  readonly gateway: Gateway;
  readonly hostedPages: { readonly allowedOrigins: readonly string[] };
  readonly notifications?: { readonly enabled: readonly string[] } | undefined;
  readonly callbacks: readonly { readonly events: readonly string[] }[];
}

function remarkKeyless(file: WithPages, remark: Report): void {
  const { type, publishableKey } = file.gateway;
  if (type !== 'stripe' || publishableKey !== undefined) return;
  const missing = (what: string): void =>
    remark(['gateway', 'publishableKey'], `is missing: ${what} without it`);
  if (file.hostedPages.allowedOrigins.length > 0) {
    missing('the hosted pages take no new payment method');
  }
  if (waitsForPayers(file)) missing('no payer can confirm a payment that waits for him');
}

function waitsForPayers({ gateway: given, notifications, callbacks }: WithPages): boolean {
  const tellsPayers =
    notifications?.enabled.includes('paymentAction') === true ||
    callbacks.some(({ events }) => events.includes('payment.actionRequired'));
  return gatewaySettingsOf(given, { tellsPayers }).actionDays > 0;
}
