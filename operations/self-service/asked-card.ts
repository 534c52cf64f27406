/** A card of a page whose payer is asked for before it is on file: only then it is put there. */
import { type Tx, inTenant } from '../../db/connection/tenancy.ts';
import { AskedCard } from '../../db/entities/hosted-pages.ts';
import type { RowOf } from '../../db/entities/rows.ts';
import { insertingOne } from '../../db/queries/context/insertion.ts';
import type { AutopayPreference } from '../../domain/payments/allocation.ts';
import { presentUntil } from '../../domain/payments/waiting.ts';
import {
  GatewayError,
  noAmount,
  type Challenge,
  type Gateways,
  type WaitingCall,
} from '../../providers/gateway/gateway.ts';
import type { Dependencies, OperationContext, TenantInfo } from '../context/context.ts';
import { noteDecline } from '../hosted-pages/declines.ts';
import { useForm } from '../hosted-pages/forms.ts';
import { type MethodInVault, putMethodOnFile } from '../payment-methods/methods.ts';
import { type CardSession, takeTryBack } from './card-limits.ts';

export interface NewAskedCard {
  readonly formKey: string;
  readonly sessionId: number;
  readonly preference: AutopayPreference;
  readonly method: MethodInVault;
  /** The gateway's own id of what waits there. */
  readonly validationId: string;
}

const insertAsked = insertingOne('note-asked-card', {
  into: AskedCard,
  columns: [
    'formKey',
    'sessionId',
    'preference',
    'type',
    'gateway',
    'token',
    'brand',
    'lastFour',
    'expiry',
    'validationId',
    'asksUntil',
  ],
  ending: 'on conflict (tenant_id, form_key) do nothing',
});

/** A repeat of its form finds it. */
export function noteAskedCard(
  { tx, realNow }: OperationContext,
  { method: inVault, formKey, sessionId, preference, validationId }: NewAskedCard,
): Promise<void> {
  const { type, gateway, method } = inVault;
  const { token, brand, lastFour, expiry } = method;
  const { at: asksUntil } = presentUntil(realNow);
  const card = { type, gateway, token, brand, lastFour, expiry };
  insertAsked(tx, { formKey, sessionId, preference, ...card, validationId, asksUntil });
  return Promise.resolve();
}

interface OfForm {
  readonly formKey: string;
  readonly sessionId: number;
}

type AskedRow = RowOf<
  typeof AskedCard,
  | 'preference'
  | 'type'
  | 'gateway'
  | 'token'
  | 'brand'
  | 'lastFour'
  | 'expiry'
  | 'validationId'
  | 'asksUntil'
  | 'outcome'
>;

async function askedCard(
  tx: Tx,
  { formKey, sessionId }: OfForm,
  lock = '',
): Promise<AskedRow | undefined> {
  const [row] = await tx.query<AskedRow & Record<string, unknown>>(
    `select preference, type, gateway, token, brand, last_four, expiry,
       validation_id, asks_until, outcome
     from asked_card where tenant_id = $1 and form_key = $2 and session_id = $3 ${lock}`,
    [tx.tenantId, formKey, sessionId],
    `asked-card${lock}`,
  );
  return row;
}

export type CardFound =
  | { readonly is: 'asks'; readonly challenge: Challenge | null }
  | { readonly is: 'approved' | 'declined' | 'silent' };

/** Asks the gateway, outside any transaction; undefined if no card of the session is asked for so. */
export async function askAboutCard(
  { db, realNow }: Dependencies,
  gateways: Gateways,
  { id: tenantId, label }: Pick<TenantInfo, 'id' | 'label'>,
  of: OfForm,
): Promise<CardFound | undefined> {
  const row = await inTenant(db, tenantId, (tx) => askedCard(tx, of), { readOnly: true });
  if (row === undefined) return undefined;
  if (row.outcome !== null) return { is: row.outcome === 'filed' ? 'approved' : 'declined' };
  const { validationId: madeAs, asksUntil } = row;
  // As the form's card was validated (try-card.ts).
  const idempotencyKey = `${label}/card/${of.sessionId}/${of.formKey}/0`;
  const waiting: WaitingCall = { operation: 'validate', idempotencyKey, madeAs, ...noAmount };
  try {
    const gateway = await gateways.named(tenantId, row.gateway);
    const isOver = realNow() >= asksUntil.getTime();
    const said = isOver ? await gateway.end(waiting) : await gateway.status('validate', waiting);
    if (typeof said === 'string' || said.outcome === 'pending') return { is: 'silent' };
    if (said.outcome !== 'asks') return { is: said.outcome };
    return { is: 'asks', challenge: await gateway.challenge(waiting) };
  } catch (error) {
    if (error instanceof GatewayError) return { is: 'silent' };
    throw error;
  }
}

export interface EndedCard extends CardSession {
  readonly formKey: string;
  readonly isApproved: boolean;
}

/** Puts the card on file, or counts it as declined; once, however often its payer comes back. */
export async function endAskedCard(
  context: OperationContext,
  { formKey, isApproved, ...user }: EndedCard,
): Promise<'filed' | 'declined'> {
  const { tx } = context;
  const { sessionId, customerId, network } = user;
  const row = await askedCard(tx, { formKey, sessionId }, 'for update');
  if (row === undefined) return 'declined';
  if (row.outcome !== null) return row.outcome;
  const outcome = isApproved ? 'filed' : 'declined';
  tx.send(
    'update asked_card set outcome = $3 where tenant_id = $1 and form_key = $2',
    [tx.tenantId, formKey, outcome],
    'end-asked-card',
  );
  const isFirst = await useForm(context, formKey);
  if (isApproved) {
    const { type, gateway, preference, token, brand, lastFour, expiry } = row;
    const method = { type, gateway, method: { token, brand, lastFour, expiry } };
    if (isFirst) await putMethodOnFile(context, { id: customerId }, preference, method);
    takeTryBack(context, sessionId);
  } else if (isFirst) noteDecline(context, { network, customerId });
  return outcome;
}
