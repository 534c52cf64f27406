/** A hook that records what it was told, in the transaction that numbers. */
import type { NumberedHook } from '../../../operations/events/sequencer.ts';

/** The table of the hook's records; the owner makes it in the test's own database. */
export const recordedTable = `
  create table recorded (tenant_id bigint not null, event_id bigint not null, what text not null);
  grant select, insert on recorded to sundial_app`;

export const recordingHook: NumberedHook = {
  name: 'recording',
  numbered: ({ tx }, events) => record(tx, events, 'numbered'),
  resent: ({ tx }, events) => record(tx, events, 'resent'),
};

function record(
  tx: Parameters<NumberedHook['numbered']>[0]['tx'],
  events: Parameters<NumberedHook['numbered']>[1],
  what: string,
): void {
  tx.send('insert into recorded select $1, unnest($2::bigint[]), $3', [
    tx.tenantId,
    events.map(({ id }) => id),
    what,
  ]);
}
