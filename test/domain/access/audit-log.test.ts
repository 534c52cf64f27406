/** What entries of the audit log say, and how they are hashed. */
import { createHash } from 'node:crypto';
import test from 'ava';
import {
  NO_HASH,
  auditText,
  changesOf,
  mergedChanges,
  storedChanges,
} from '../../../domain/access/audit-log.ts';

test('an entry is hashed with the hash before it, a value in a line', (t) => {
  const text = auditText(NO_HASH, {
    sequence: 1,
    at: '2027-01-15T12:00:03.120Z',
    action: 'write',
    username: 'api@demo',
    userId: 7,
    address: '127.0.0.1',
    method: 'PUT',
    path: '/rest/customer/23',
    status: 200,
    code: null,
    requestId: 'req\n1',
    objectType: 'customer',
    objectId: 23,
    changes: [{ field: 'paymentTermsValue', before: '30', after: '45' }, { field: 'name' }],
  });
  // By sha256sum, of the lines as the specification has them.
  t.is(
    createHash('sha256').update(text).digest('hex'),
    '3c4998119a84228e9c362ba39c154efb59067e704d3f454248ebe0561b7601a0',
  );
});

test('a change names the field, before and after; of what is personal or secret, the field alone', (t) => {
  const before = { paymentTermsValue: 30, name: 'Ada', taxId: null, status: 'Active', version: 1 };
  const after = {
    paymentTermsValue: 45,
    name: 'Grace',
    taxId: 'DE1',
    status: 'Active',
    version: 2,
  };
  t.deepEqual(changesOf(before, after), [
    { field: 'paymentTermsValue', before: '30', after: '45' },
    { field: 'name' },
    { field: 'taxId' },
  ]);
  t.deepEqual(changesOf({ endDate: '2027-01-31' }, { endDate: null }), [
    { field: 'endDate', before: '2027-01-31' },
  ]);
  t.deepEqual(changesOf({}, { quantity: '3' }, 'orderLineItems[2].'), [
    { field: 'orderLineItems[2].quantity', after: '3' },
  ]);
});

test('a field that changes twice is told as it was at first and is at last, or not at all', (t) => {
  t.deepEqual(
    mergedChanges([
      { field: 'status', before: 'Paid', after: 'Outstanding' },
      { field: 'outstandingBalance', before: '0', after: '50' },
      { field: 'paymentMethods[1]' },
      { field: 'endDate', after: '2027-01-31' },
      { field: 'status', before: 'Outstanding', after: 'Cancelled' },
      { field: 'outstandingBalance', before: '50', after: '0' },
      { field: 'paymentMethods[1]' },
      { field: 'endDate', before: '2027-01-31' },
    ]),
    [{ field: 'status', before: 'Paid', after: 'Cancelled' }, { field: 'paymentMethods[1]' }],
  );
});

test('fifty changes are kept, in texts that PostgreSQL can store', (t) => {
  const many = Array.from({ length: 51 }, (_, n) => ({
    field: `f${n}`,
    after: `a\u0000${'x'.repeat(300)}`,
  }));
  const stored = storedChanges(many) ?? [];
  t.is(stored.length, 50);
  t.deepEqual(stored[49], { field: 'f49', after: `a${'x'.repeat(254)}` });
  t.is(storedChanges([]), null);
});
