/** Erases what is personal of a customer that owes nothing and is served nothing any more. */
import type { Tx } from '../../db/connection/tenancy.ts';
import { forgetCustomer, noteChanges } from '../../db/connection/audited.ts';
import { Signup, SignupTry } from '../../db/entities/hosted-pages.ts';
import { forgetGuesses } from '../../db/queries/access/login-guesses.ts';
import { emptying, erasedNameOf, erasing } from '../../db/queries/customers/personal.ts';
import { lockContacts, endSessions } from '../../db/queries/hosted-pages/sessions.ts';
import { endResets } from '../../db/queries/hosted-pages/password-resets.ts';
import { freezeOldDocuments, hasOldDocuments } from '../../db/queries/parties/parties.ts';
import { lockUsage } from '../../db/queries/usage/lines.ts';
import { UnavailableError, violatedKeyOf } from '../../db/connection/faults.ts';
import { type ErasureReason, refusalOfErasure } from '../../domain/customers/erasure.ts';
import { DomainError, DomainErrors } from '../../domain/errors.ts';
import type { OperationContext } from '../context/context.ts';
import { type CustomerAddress, findCustomer, lockCustomer } from '../context/locks.ts';
import { raise } from '../events/raise.ts';

/** What an erasure has found to empty and to delete. */
export interface Erasure {
  readonly customerId: number;
  /** It was erased before: nothing is done again. */
  readonly isRepeated: boolean;
  /** The number of rows by table, of those that had something. */
  readonly rows: ReadonlyMap<string, number>;
  /** How many methods the gateways are asked to remove. */
  readonly methods: number;
}

/**
 * Empties all that is personal of the customer, in the transaction that it is given: afterwards nothing
 * names it but ids, figures and documents as issued. Throws customer.unknown, customer.notErasable with
 * an error for each reason, customer.refTaken.
 */
export async function eraseCustomer(
  context: OperationContext,
  address: CustomerAddress,
): Promise<Erasure> {
  const { tx } = context;
  // A sign-up is locked before its customer.
  const signupIds = await lockSignups(tx, (await findCustomer(tx, address)).id);
  const { id, isErased } = await lockCustomer(tx, address, { erased: 'taken' });
  if (isErased) return { customerId: id, isRepeated: true, rows: new Map(), methods: 0 };
  await refuseReasons(tx, id);
  await refuseNewSignups(tx, id, signupIds);
  await waitForOthers(context, id);
  // What documents of before say is what it says until now.
  while (await hasOldDocuments(tx, id)) await freezeOldDocuments(tx, [id], DOCUMENTS_MAX);
  endAccess(context, await contactsOf(tx, id));
  await endSessions(tx, { customerIds: [id], at: context.realNow });
  const version = await markErased(context, id);
  const methods = await removeMethods(context, id);
  const rows = await emptyAll(tx, id, signupIds).catch((error: unknown): never => {
    throw refusalOf(error, id);
  });
  forgetCustomer(tx, id);
  noteChanges(tx, { type: 'customer', id }, [{ field: 'erasedDate', after: context.time.today }]);
  raise(context, [
    { type: 'customer.erased', customerId: id, objectId: id, objectVersion: version },
  ]);
  return { customerId: id, isRepeated: false, rows, methods };
}

const DOCUMENTS_MAX = 1_000;

/** Sign-ups of the customer, and those that have ended and only name it: by its reference or address. */
const namingSignups = `(customer_id = $2 or customer_id is null and (
  ext_customer_ref = (select ext_customer_ref from customer where tenant_id = $1 and id = $2)
  or lower(email) in (select email_key from contact where tenant_id = $1 and customer_id = $2)))`;

async function lockSignups(tx: Tx, id: number): Promise<readonly number[]> {
  const rows = await tx.query<{ id: number }>(
    `select id from signup where tenant_id = $1 and status <> 'DRAFT' and ${namingSignups}
     order by id for update`,
    [tx.tenantId, id],
    'lock-signups-of-customer',
  );
  return rows.map((row) => row.id);
}

/** Of those that have ended since the others were locked. */
async function refuseNewSignups(tx: Tx, id: number, locked: readonly number[]): Promise<void> {
  const others = await tx.query(
    `select from signup where tenant_id = $1 and ${namingSignups} and id <> all($3)`,
    [tx.tenantId, id, locked],
    'new-signups-of-customer',
  );
  if (others.length > 0) throw new UnavailableError('a sign-up of the customer has just ended');
}

interface ReasonRow {
  readonly reason: ErasureReason;
  readonly named: readonly string[];
  readonly count: number;
}

/** As many of each reason are named. */
const NAMED_MAX = 5;

const reasons: Readonly<Record<ErasureReason, string>> = {
  // An order that has ended may still have to bill.
  order: `select order_number::text from subscription_order where tenant_id = $1 and customer_id = $2
    and (status not in ('Complete', 'Superseded', 'Canceled') or next_action_on is not null)`,
  invoice: `select invoice_number from invoice where tenant_id = $1 and customer_id = $2
    and status = 'Outstanding'`,
  balance: `select currency from customer_balance b where tenant_id = $1 and customer_id = $2
    and (balance <> 0 or exists (select from payment p where p.tenant_id = $1 and p.customer_id = $2
      and p.currency = b.currency and p.balance <> 0 and p.status <> 'CarriedOver'))`,
  payment: `select id::text from payment where tenant_id = $1 and customer_id = $2
    and (status in ('Pending', 'ActionRequired') or phase is not null)`,
  paymentPlan: `select id::text from payment_plan where tenant_id = $1 and customer_id = $2
    and is_enabled`,
  signup: `select tracking from signup where tenant_id = $1 and status = 'DRAFT' and ${namingSignups}`,
};

const reasonsText = Object.entries(reasons)
  .map(
    ([
      reason,
      text,
    ]) => `select '${reason}' as reason, (array_agg(n.named order by n.named))[1:${NAMED_MAX}] as named,
      count(*)::int as count from (${text}) n(named) having count(*) > 0`,
  )
  .join(' union all ');

async function refuseReasons(tx: Tx, id: number): Promise<void> {
  const found = await tx.query<ReasonRow & Record<string, unknown>>(
    reasonsText,
    [tx.tenantId, id],
    'reasons-against-erasure',
  );
  const [first, ...others] = found.map(refusalOfErasure);
  if (first !== undefined) throw new DomainErrors([first, ...others]);
}

/**
 * Logins, starts of sessions and uploads of usage do not lock the customer for a write: whoever has begun
 * ends first, and is emptied; whoever comes later waits, and is refused.
 */
async function waitForOthers({ tx }: OperationContext, id: number): Promise<void> {
  lockContacts(tx, await contactsOf(tx, id));
  tx.send(
    'select from customer where tenant_id = $1 and id = $2 for update',
    [tx.tenantId, id],
    'lock-customer-wholly',
  );
  const orders = await tx.query<{ id: number }>(
    'select id from subscription_order where tenant_id = $1 and customer_id = $2 order by id',
    [tx.tenantId, id],
    'orders-to-erase',
  );
  for (const order of orders) lockUsage(tx, order.id);
}

async function contactsOf(tx: Tx, id: number): Promise<readonly number[]> {
  const rows = await tx.query<{ id: number }>(
    'select id from contact where tenant_id = $1 and customer_id = $2 order by id',
    [tx.tenantId, id],
    'contacts-to-erase',
  );
  return rows.map((row) => row.id);
}

function endAccess({ tx, realNow: at }: OperationContext, contactIds: readonly number[]): void {
  forgetGuesses(tx, contactIds);
  endResets(tx, { contactIds, at });
}

async function markErased({ tx, time }: OperationContext, id: number): Promise<number> {
  const [row] = await tx.query<{ version: number }>(
    `update customer set erased_on = $3, version = version + 1, updated_at = $4
     where tenant_id = $1 and id = $2 returning version`,
    [tx.tenantId, id, time.today, time.now],
    'mark-erased',
  );
  if (row === undefined) throw new Error(`customer ${id} is gone under its lock`);
  return row.version;
}

/** Takes them off file. A loop of the worker asks the gateways, until they have removed each of them. */
async function removeMethods({ tx, time }: OperationContext, id: number): Promise<number> {
  const methods = await tx.query(
    `update payment_method set autopay_preference = null, updated_at = $3, remove_at = now()
     where tenant_id = $1 and customer_id = $2 and token <> '' returning 1`,
    [tx.tenantId, id, time.now],
    'remove-methods-of-customer',
  );
  return methods.length;
}

const counted = (text: string): string =>
  `with done as (${text} returning 1) select count(*)::int as count from done`;

/** The statements of sign-ups that only name the customer choose by their ids. */
const erasingSignups = [
  { name: 'signup', text: emptying(Signup, 'id = any($2)') },
  { name: 'signup_try', text: emptying(SignupTry, 'signup_id = any($2)') },
].flatMap(({ name, text }) => (text === undefined ? [] : [{ name, text: counted(text) }]));

const erasingAll = erasing.map(({ table, text }) => ({ name: table, text: counted(text) }));

async function emptyAll(
  tx: Tx,
  id: number,
  signupIds: readonly number[],
): Promise<ReadonlyMap<string, number>> {
  const rows = new Map<string, number>();
  const all = [
    ...erasingAll.map((each) => ({ ...each, value: id, prefix: 'erase' })),
    ...erasingSignups.map((each) => ({ ...each, value: signupIds, prefix: 'erase-named' })),
  ];
  await Promise.all(
    all.map(async ({ name, text, value, prefix }) => {
      const [done] = await tx.query<{ count: number }>(
        text,
        [tx.tenantId, value],
        `${prefix}-${name}`,
      );
      const count = done?.count ?? 0;
      if (count > 0) rows.set(name, (rows.get(name) ?? 0) + count);
    }),
  );
  return rows;
}

function refusalOf(error: unknown, id: number): unknown {
  if (violatedKeyOf(error) !== 'customer_tenant_id_ext_customer_ref_key') return error;
  const value = erasedNameOf(id);
  const message = `another customer has extCustomerRef ${value}, which this one is to get`;
  return new DomainError('customer.refTaken', message, { value });
}
