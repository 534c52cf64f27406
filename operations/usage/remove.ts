/** Deletes a usage record that is not billed. */
import { noteObject } from '../../db/connection/audited.ts';
import { UnavailableError } from '../../db/connection/faults.ts';
import {
  deleteRecord,
  findRecord,
  lockForDeletion,
  type RecordAddress,
} from '../../db/queries/usage/records.ts';
import { DomainError } from '../../domain/errors.ts';
import { processedOn } from '../../domain/usage/free.ts';
import type { OperationContext } from '../context/context.ts';
import { refuseErased } from '../context/locks.ts';

export type { RecordAddress } from '../../db/queries/usage/records.ts';

/** A window that changes this often is being moved all the time. */
const TRIES_MAX = 3;

/** Throws activity.unknown, activity.billed, activity.corrected or customer.erased. */
export async function removeActivity(
  { tx, tenant, time }: OperationContext,
  address: RecordAddress,
): Promise<void> {
  const { timezone, settings } = tenant;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const found = await findRecord(tx, address);
    const record = found && (await lockForDeletion(tx, found, timezone));
    if (!record) throw unknown(address);
    refuseErased({ id: record.customerId, isErased: record.isErased });
    const freeOn = record.free && processedOn(record.free, settings.usageGraceDays);
    if (freeOn !== null && freeOn <= time.today) {
      throw refused('activity.billed', address, 'was free, and is Processed');
    }
    if (record.isBilled) throw refused('activity.billed', address, 'is billed');
    // Billing has moved it to another window, which is locked in the next try.
    if (record.windowId !== found.windowId) continue;
    if (record.isCorrected) throw refused('activity.corrected', address, 'has a correction');
    deleteRecord(tx, found.id);
    noteObject(tx, 'activity', found.id);
    return;
  }
  throw new UnavailableError('the record is moved all the time');
}

function unknown(address: RecordAddress): DomainError {
  const isId = 'id' in address;
  const message = isId ? 'There is no such activity' : `there is no activity ${address.extRefId}`;
  return new DomainError('activity.unknown', message, {
    value: isId ? null : address.extRefId,
    id: isId ? address.id : null,
  });
}

function refused(
  code: 'activity.billed' | 'activity.corrected',
  address: RecordAddress,
  why: string,
): DomainError {
  const value = String('id' in address ? address.id : address.extRefId);
  return new DomainError(code, `the activity ${value} ${why}`, { value });
}
