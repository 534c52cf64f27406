/**
 * Prepares what a connection of this process asks, also without a name: PostgreSQL parses and plans it
 * once, which takes more of it than running it on the few rows of a test.
 */
import { createHash } from 'node:crypto';
import pg from 'pg';

/** What the driver calls to send a statement. */
interface Sent {
  readonly text?: string;
  name?: string | undefined;
  readonly values?: readonly unknown[] | null;
  submit: (this: Sent, connection: Connection) => unknown;
}

interface Connection {
  readonly stream: { readonly remotePort?: number };
}

const sent = pg.Query.prototype as unknown as Sent;
const { submit } = sent;
const names = new Map<string, string>();
/** Behind these ports is a pooler, whose next session knows no statement of this one. */
export const pooledPorts = new Set<number>();

sent.submit = function (this: Sent, connection) {
  const { text = '', name, values } = this;
  // Without values it may be several statements.
  const isPooled = pooledPorts.has(connection.stream.remotePort ?? 0);
  if (name === undefined && values && values.length > 0 && !isPooled) this.name = nameOf(text);
  return submit.call(this, connection);
};

function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    names.set(text, (name = createHash('sha1').update(text).digest('hex')));
  }
  return name;
}
