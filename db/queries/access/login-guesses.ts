/** Wrong passwords in a row, and networks that contacts have logged in from. */
import type { Tx } from '../../connection/tenancy.ts';

/** Whoever guesses, as rows know it. */
export interface Guesser {
  /** A user name without a null-byte, which PostgreSQL cannot store. */
  readonly login: string;
  /** In place of a contact, where nobody has the name; all is the same for both. */
  readonly nameKey: string;
  readonly network: Buffer;
}

const keyOfContact = (id: string): string => `concat('contact ', ${id})`;
const keyOfName = `coalesce((select ${keyOfContact('k.id')} from contact k
       where k.tenant_id = $1 and k.login = $2), $3)`;

export interface Guesses {
  /** In a row, of all networks. */
  readonly failures: number;
  /** Its contact has logged in from the network. */
  readonly isKnownNetwork: boolean;
  readonly sendsMails: boolean;
}

export async function readGuesses(tx: Tx, { login, nameKey, network }: Guesser): Promise<Guesses> {
  const [found] = await tx.query<Guesses & Record<string, unknown>>(
    `select coalesce((select failures from login_guess
         where tenant_id = $1 and key = ${keyOfName}), 0) as failures,
       exists (select from contact k join login_network n
           on n.tenant_id = k.tenant_id and n.contact_id = k.id
         where k.tenant_id = $1 and k.login = $2 and n.network = $4) as is_known_network,
       file->'notifications'->>'from' is not null as sends_mails
     from tenant where id = $1`,
    [tx.tenantId, login, nameKey, network],
    'read-guesses',
  );
  return found ?? { failures: 0, isKnownNetwork: false, sendsMails: false };
}

export function countGuess(
  tx: Tx,
  { login, nameKey }: Pick<Guesser, 'login' | 'nameKey'>,
  at: Date,
): void {
  tx.send(
    `insert into login_guess as g (tenant_id, key, failures, failed_at)
     values ($1, ${keyOfName}, 1, $4)
     on conflict (tenant_id, key) do update set failures = g.failures + 1, failed_at = $4`,
    [tx.tenantId, login, nameKey, at],
    'count-guess',
  );
}

/** Nobody guesses at these contacts any more. */
export function forgetGuesses(tx: Tx, contactIds: readonly number[]): void {
  tx.send(
    `delete from login_guess where tenant_id = $1
       and key in (select ${keyOfContact('id')} from unnest($2::bigint[]) id)`,
    [tx.tenantId, contactIds],
    'forget-guesses',
  );
}

/** What the password of before has opened. */
export function forgetNetworks(tx: Tx, contactIds: readonly number[]): void {
  tx.send(
    'delete from login_network where tenant_id = $1 and contact_id = any($2)',
    [tx.tenantId, contactIds],
    'forget-networks',
  );
}

/** Of a contact: who moves around has a new one each time. */
const NETWORKS_MAX = 50;

export interface KnownNetwork {
  readonly contactId: number;
  readonly network: Buffer;
  readonly at: Date;
}

/** The contact came in from there, or by a mailed link. */
export function noteNetwork(tx: Tx, { contactId, network, at }: KnownNetwork): void {
  tx.send(
    `insert into login_network (tenant_id, contact_id, network, used_at)
     select tenant_id, id, $3, $4 from contact where tenant_id = $1 and id = $2
     on conflict (tenant_id, contact_id, network) do update set used_at = $4`,
    [tx.tenantId, contactId, network, at],
    'note-network',
  );
  tx.send(
    `delete from login_network n using (
       select network from login_network where tenant_id = $1 and contact_id = $2
       order by used_at desc offset ${NETWORKS_MAX}) old
     where n.tenant_id = $1 and n.contact_id = $2 and n.network = old.network`,
    [tx.tenantId, contactId],
    'prune-networks',
  );
}
