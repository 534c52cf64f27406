/** Makes the post of an event: its body, its signature, its headers. */
import { type EndpointRow, type OwedEvent, readDocument } from '../../db/queries/callbacks/read.ts';
import { inTenant, type Tx } from '../../db/connection/tenancy.ts';
import type { CallbackLine, LineOptions } from '../../providers/callbacks/line.ts';
import { signatureHeaders } from '../../providers/callbacks/signature.ts';
import type { Vault } from '../../providers/vault.ts';
import type { Dependencies, TenantInfo } from '../context/context.ts';
import { secretContext } from '../../db/entities/sealed.ts';
import { webhookIdOf } from '../../domain/callbacks/webhook-id.ts';
import { eventObjects, type EventObject } from '../../domain/events/events.ts';
import type { Attempt } from './batch.ts';

export interface CallbackOptions extends Omit<LineOptions, 'connectionsMax'> {
  /** Decrypts the endpoints' secrets. */
  readonly vault: Pick<Vault, 'open'>;
  /** The XML that a GET of an object answers. */
  readonly xmlOf: (kind: EventObject, view: unknown) => string;
  /** Reads objects as GET shows them, for events without a kept document. */
  readonly readViews: ReadViews;
  /** A kept document as GET showed its object. */
  readonly viewOfDocument: (kind: EventObject, document: unknown) => unknown;
  /** Opens the way to an endpoint. */
  readonly openLine: (url: string, options: LineOptions) => Promise<CallbackLine>;
}

export interface SenderWork {
  readonly dependencies: Dependencies;
  readonly tenant: TenantInfo;
  readonly options: CallbackOptions;
}

export type ReadViews = (
  dependencies: Dependencies,
  tx: Tx,
  tenant: TenantInfo,
  objects: { readonly kind: EventObject; readonly ids: readonly number[] },
) => Promise<ReadonlyMap<number, object>>;

export type Send = (event: OwedEvent) => Promise<Attempt>;

const MS_PER_SECOND = 1_000;

export function openSender(work: SenderWork, endpoint: EndpointRow, line: CallbackLine): Send {
  const secret = secretOf(work.options, endpoint);
  return async (event) => {
    if (secret === null) return { kind: 'unreachable', code: 'secret_unreadable', document: null };
    const body = await bodyOf(work, event);
    if ('code' in body) return { kind: 'hopeless', code: body.code, document: null };
    const signed = {
      id: webhookIdOf(event.eventId, endpoint.epochs),
      timestamp: Math.floor(work.dependencies.realNow() / MS_PER_SECOND),
      body: body.xml,
    };
    const outcome = await line.post({
      type: event.type,
      headers: { ...signatureHeaders(secret, signed), ...headersOf(event, body.document) },
      body: body.xml,
    });
    return { ...outcome, document: body.document };
  };
}

/** Null if it was encrypted under another SECRET_KEY. */
function secretOf({ vault }: CallbackOptions, { secret, label, url }: EndpointRow): string | null {
  try {
    return vault.open(secret ?? '', secretContext(label, { callbackUrl: url }));
  } catch {
    return null;
  }
}

function headersOf(event: OwedEvent, document: 'kept' | 'today'): Record<string, string> {
  const { type, customerSequence, objectVersion } = event;
  return {
    'x-event': type,
    ...(customerSequence === null ? {} : { 'x-customer-sequence': String(customerSequence) }),
    ...(objectVersion === null ? {} : { 'x-object-version': String(objectVersion) }),
    ...(document === 'today' ? { 'x-document': 'today' } : {}),
  };
}

type Body =
  | { readonly xml: string; readonly document: 'kept' | 'today' }
  | { readonly code: 'document_gone' | 'document_unreadable' };

async function bodyOf(work: SenderWork, event: OwedEvent): Promise<Body> {
  const kind = eventObjects[event.type];
  const found = event.document ?? (await foundFor(work, event, kind));
  if (found === undefined || found === null) return { code: 'document_gone' };
  try {
    const { xmlOf, viewOfDocument } = work.options;
    const view = event.isKept ? viewOfDocument(kind, found) : found;
    return { xml: xmlOf(kind, view), document: event.isKept ? 'kept' : 'today' };
  } catch (error) {
    const cause = error instanceof Error ? error : new Error(String(error));
    work.dependencies.onBug?.(new Error(`the document of event ${event.eventId}`, { cause }));
    return { code: 'document_unreadable' };
  }
}

/** The document that was kept with the event, else today's view. */
function foundFor(work: SenderWork, event: OwedEvent, kind: EventObject): Promise<unknown> {
  const { dependencies, tenant, options } = work;
  const { objectId: id } = event;
  const read = async (tx: Tx): Promise<unknown> => {
    if (event.isKept) return readDocument(tx, event.eventId);
    const objects = { kind, ids: [id] };
    return (await options.readViews(dependencies, tx, tenant, objects)).get(id);
  };
  return inTenant(dependencies.db, tenant.id, read, { readOnly: true });
}
