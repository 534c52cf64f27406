/** A tenant's sign-ups for a test: a link, its forms, and what became of it, read as text. */
import { createHash } from 'node:crypto';
import type { Tx } from '../../../db/connection/tenancy.ts';
import { advanceSignup } from '../../../operations/signups/advance.ts';
import { makeConfirmation } from '../../../operations/mail/prepare.ts';
import { type Confirmation, confirmTry } from '../../../operations/signups/ask-to-confirm.ts';
import { enterDetails } from '../../../operations/signups/details.ts';
import { priceSignup } from '../../../operations/signups/price.ts';
import { type SignupRow, readSignup } from '../../../operations/signups/signup-row.ts';
import { type TakenForm, returnTry, storeTry, takeTry } from '../../../operations/signups/take.ts';
import { tenantInfo } from '../../../operations/context/context.ts';
import {
  type GatewayAnswer,
  GatewayError,
  type Gateways,
} from '../../../providers/gateway/gateway.ts';
import { asks } from '../../../providers/gateway/declines.ts';
import type { SignupLook } from '../../../workflows/contract/contract.ts';
import { type TenantOptions, demoAgents, makeTenant } from '../../support/tenants.ts';
import type { TaxProvider } from '../../../providers/tax/tax-provider.ts';
import type { SharedDatabase } from './books.ts';
import { openPaymentBooks } from './payment-books.ts';

const newYork = {
  type: 'table',
  rates: [
    { country: 'US', state: 'NY', percent: 8.875, taxCode: 'STANDARD', name: 'NY sales tax' },
  ],
};

/** The part of tenants/demo.yaml that sign-ups need. */
export const demoFile = {
  tax: newYork,
  coupons: [
    { code: 'WELCOME10', percent: 10, periods: 3, plans: ['GOLD'] },
    { code: 'FIVEOFF', amount: 5, currency: 'USD', once: true },
  ],
  notifications: {
    from: 'billing@demo.example',
    enabled: ['newInvoice', 'newOrder', 'paymentReceived', 'paymentFailed'],
  },
  ...demoAgents,
};

export const ada = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.org',
  phone: '+1 (212) 555-0100',
  street: '1 Main St',
  city: 'New York',
  state: 'NY',
  zipcode: '10118',
  country: 'US',
};

type Given = Partial<Record<keyof SignupRow, unknown>>;

export type SignupBooks = Awaited<ReturnType<typeof openSignupBooks>>;

export async function openSignupBooks(
  db: SharedDatabase,
  {
    file = {},
    today = '2027-01-15',
    ...options
  }: {
    readonly today?: string;
    readonly file?: Readonly<Record<string, unknown>>;
    readonly testClock?: string;
    readonly plans?: NonNullable<TenantOptions['plans']>;
    readonly taxProvider?: TaxProvider;
  } = {},
) {
  const books = await openPaymentBooks(db, {
    today,
    ...options,
    file: { ...demoFile, ...file },
  });
  const { dependencies, tenantId, work, read } = books;
  let count = 0;
  let validated: Validated = 'approved';
  const gateways = validating(books.gateway.gateways, () => validated);
  const row = async (id: number): Promise<SignupRow> => {
    const found = await read((tx) => readSignup(tx, { id }));
    if (!found) throw new Error(`there is no signup ${id}`);
    return found;
  };
  const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();
  const form = (id: number, more: Partial<TakenForm> = {}): TakenForm => ({
    tokenHash: hashOf(`token ${tenantId} ${id}`),
    formKey: `form ${(count += 1)}`,
    network: '192.0.2.1',
    shownAmount: '73.44',
    quoteHash: null,
    startDate: null,
    taxBasis: null,
    version: 1,
    hasCard: true,
    cardholderName: 'Ada Lovelace',
    savePaymentMethod: false,
    tosAccepted: true,
    locale: 'de_AT',
    ...more,
  });
  const take = async (id: number, more: Partial<TakenForm> = {}) => {
    const { version } = await row(id);
    return work((context) => takeTry(context, form(id, { version, ...more })));
  };
  return {
    ...books,
    /** They validate cards, too. */
    gateways,
    row,
    form,
    take,
    reapply: (more: Readonly<Record<string, unknown>>) =>
      reapply(books, options.plans, { ...file, ...more }),
    /** A link for GOLD with WELCOME10 of Ada in New York; returns its id. */
    link: (given: Given = {}) =>
      work(async (context) => {
        const { tx, time, realNow } = context;
        const fields = { ...ada, contractCode: 'GOLD', couponCode: 'WELCOME10', ...given };
        return insertLink(tx, fields, {
          now: time.now,
          realNow,
          hashOf: (id) => hashOf(`token ${tenantId} ${id}`),
        });
      }),
    enter: (id: number, entered: Partial<Parameters<typeof enterDetails>[1]>) =>
      work((context) =>
        enterDetails(context, {
          tokenHash: hashOf(`token ${tenantId} ${id}`),
          formKey: `form ${(count += 1)}`,
          customer: null,
          order: null,
          passwordHash: null,
          locale: null,
          ...entered,
        }),
      ),
    /** `44.10 + 29.34 = 73.44, due today 73.44` */
    price: async (id: number): Promise<string> => {
      const tenant = await tenantInfo(dependencies, tenantId);
      const { quote, dueToday } = await priceSignup(dependencies, tenant, await row(id));
      const { initial, recurring, total } = quote;
      return `${initial.total} + ${recurring.total} = ${total}, due today ${dueToday}`;
    },
    /** What is due today. */
    due: async (id: number) =>
      priceSignup(dependencies, await tenantInfo(dependencies, tenantId), await row(id)),
    /** What a page shows of the price beside the amount, for a try of it. */
    terms: async (id: number) => {
      const tenant = await tenantInfo(dependencies, tenantId);
      const { quote, startDate, taxBasis } = await priceSignup(dependencies, tenant, await row(id));
      return { quoteHash: quote.hash, startDate, taxBasis };
    },
    ...confirming({ ...books, row }),
    store: (tryId: number, token = 'tok') => {
      const method = { token, brand: 'Visa', lastFour: '1111', expiry: '2029-12-31' };
      return work((context) =>
        storeTry(context, { tryId, method: { type: 'CreditCard', gateway: 'sandbox', method } }),
      );
    },
    giveBack: (tryId: number, code: string, field: string | null = null) =>
      work((context) => returnTry(context, { tryId, code, field })),
    /** Takes a form and stores its card; returns the try. */
    async submit(
      id: number,
      { token = 'tok', ...more }: Partial<TakenForm> & { readonly token?: string } = {},
    ) {
      const taken = await take(id, more);
      if (taken.kind !== 'taken') throw new Error(`it is ${taken.kind}`);
      if (more.hasCard !== false) await this.store(taken.tryId, token);
      return taken.tryId;
    },
    advanceTo: (day: string) => books.advance(day),
    /** What the gateway says when it validates a card. */
    validates(what: Validated): void {
      validated = what;
    },
    /** As its workflow does: until it waits, with the payments between. */
    async carry(id: number): Promise<SignupLook> {
      const hooks = { gateways, dispatch: () => {} };
      const look = await advanceSignup(dependencies, hooks, tenantId, id);
      if (look.phase !== 'Charging') return look;
      await books.settle();
      return advanceSignup(dependencies, hooks, tenantId, id);
    },
    advance: (id: number): Promise<SignupLook> =>
      advanceSignup(dependencies, { gateways, dispatch: () => {} }, tenantId, id),
    /** `newOrder, newInvoice`, of what is queued. */
    mails: async (): Promise<string> => {
      const rows = await read((tx) =>
        tx.query<{ kind: string }>('select kind from mail order by id'),
      );
      return rows.map(({ kind }) => kind).join(', ');
    },
    /** `DRAFT: 1 declined card_declined, 2 charging` */
    state: (id: number) => read((tx) => readState(tx, id)),
    outboxOf: (kind: string) => read((tx) => readOutbox(tx, kind)),
  };
}

/** The gateways, which answer so about cards that are validated. */
const validating = (made: Gateways, said: () => Validated): Gateways => ({
  ...made,
  named: async (...which) => {
    const gateway = await made.named(...which);
    return {
      ...gateway,
      validate: () => validation(said()),
      status: (operation, asked) =>
        operation === 'validate' ? validation(said()) : gateway.status(operation, asked),
      end: (call) => {
        const ended = said() === 'asks' ? 'declined' : said();
        return call.operation === 'validate' ? validation(ended) : gateway.end(call);
      },
    };
  },
});

/** Applies the tenant's file with other parts. */
const reapply = (
  {
    dependencies,
    label,
  }: Pick<Awaited<ReturnType<typeof openPaymentBooks>>, 'dependencies' | 'label'>,
  plans: TenantOptions['plans'],
  more: Readonly<Record<string, unknown>>,
) => makeTenant(dependencies, { ...(plans && { plans }), label, file: { ...demoFile, ...more } });

interface Confirming extends Pick<
  Awaited<ReturnType<typeof openPaymentBooks>>,
  'work' | 'dependencies' | 'tenantId'
> {
  readonly row: (id: number) => Promise<SignupRow>;
}

/** The mailed page of a sign-up, and its button. */
function confirming({ work, row, dependencies, tenantId }: Confirming) {
  let count = 0;
  return {
    /** Makes what the mail of the newest try says; the address of its page, or undefined. */
    mailed: async (id: number): Promise<string | undefined> => {
      const tryId = (await row(id)).lastTry?.id ?? 0;
      const made = await work(({ tx, realNow }) =>
        makeConfirmation({ tx, realNow, origin: 'https://demo.example' }, tryId),
      );
      const { subject } = made?.source ?? {};
      return subject?.kind === 'signupConfirm' ? subject.confirmAddress : undefined;
    },
    /** Opens the mailed page, and presses its button; false if that counts no more. */
    async confirm(id: number, more: Partial<Confirmation> = {}): Promise<boolean> {
      const token = (await this.mailed(id))?.split('/').at(-1) ?? '';
      const tokenHash = createHash('sha256').update(token).digest();
      return this.press(id, { tokenHash, ...more });
    },
    press: async (id: number, more: Pick<Confirmation, 'tokenHash'> & Partial<Confirmation>) => {
      const tenant = await tenantInfo(dependencies, tenantId);
      const price = await priceSignup(dependencies, tenant, await row(id));
      const { dueToday: shownAmount, quote, startDate, taxBasis } = price;
      const formKey = `button ${(count += 1)}`;
      const shown = { formKey, shownAmount, quoteHash: quote.hash, startDate, taxBasis };
      return work((context) => confirmTry(context, { ...shown, ...more }));
    },
  };
}

type Validated = 'approved' | 'declined' | 'silent' | 'asks';

function validation(what: Validated): Promise<GatewayAnswer> {
  if (what === 'silent') return Promise.reject(new GatewayError('unavailable', 'breaker_open'));
  if (what === 'asks') return Promise.resolve(asks({ transactionId: 'seti_1' }));
  const isApproved = what === 'approved';
  return Promise.resolve({
    outcome: what,
    transactionId: 'validation',
    errorCode: isApproved ? '0' : 'card_declined',
    errorMessage: null,
    isHardDecline: false,
    avsCode: null,
    cvvCode: null,
    approvalCode: null,
  });
}

interface LinkBasis {
  readonly now: Date;
  readonly realNow: Date;
  readonly hashOf: (id: number) => Buffer;
}

async function insertLink(
  tx: Tx,
  given: Given,
  { now, realNow, hashOf }: LinkBasis,
): Promise<number> {
  const columns = Object.entries(given).map(([name, value]) => [
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ]);
  const base = Object.fromEntries([
    ['success_url', 'https://shop.example/ok'],
    ['fail_url', 'https://shop.example/no'],
    ['css_url', '/css/signup.css'],
    ['hide_customer_fields', false],
    ['hide_order_fields', false],
    ['display_amount', 'allCharges'],
    ['link_has_password', false],
    ['quantity', '1'],
    ['has_details', true],
    ...columns,
  ]) as Record<string, unknown>;
  const [made] = await tx.query<{ id: number }>(`select nextval('id_seq') as id`);
  const id = made?.id ?? 0;
  const names = Object.keys(base);
  await tx.query(
    `insert into signup (tenant_id, id, tracking, token_hash, status, created_at, updated_at,
       expires_at, ${names.join(', ')})
     values ($1, $2, $3, $4, 'DRAFT', $5, $5, $6, ${names.map((_, index) => `$${index + 7}`).join(', ')})`,
    [
      tx.tenantId,
      id,
      `tracking ${id}`,
      hashOf(id),
      now,
      new Date(realNow.getTime() + 30 * 60_000),
      ...Object.values(base),
    ],
  );
  return id;
}

async function readOutbox(tx: Tx, kind: string): Promise<number[]> {
  const rows = await tx.query<{ objectId: number }>(
    'select object_id from outbox where kind = $1 order by 1',
    [kind],
  );
  return rows.map(({ objectId }) => objectId);
}

async function readState(tx: Tx, id: number): Promise<string> {
  const [row] = await tx.query<{ text: string }>(
    `select concat(s.status, ' ' || s.failure_code, ': ',
       (select string_agg(concat_ws(' ', t.number, t.status, t.code, t.field), ', ' order by t.number)
        from signup_try t where t.tenant_id = s.tenant_id and t.signup_id = s.id)) as text
     from signup s where s.id = $1`,
    [id],
  );
  return row?.text ?? 'gone';
}
