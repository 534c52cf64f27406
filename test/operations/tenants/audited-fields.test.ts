/** What of a tenant file the audit log says has changed. */
import test from 'ava';
import { fieldsOf } from '../../../operations/tenants/file/changes.ts';

test('the audit log has what an apply changed, field by field, and no secret', (t) => {
  const none = { before: undefined, after: undefined };
  t.deepEqual(fieldsOf('plans', [{ subject: 'plan GOLD', change: 'version 2' }], none), [
    { field: 'plans[GOLD]', after: 'version 2' },
  ]);
  t.deepEqual(
    fieldsOf('settings', [{ subject: 'settings', change: 'changed' }], {
      before: { usageGraceDays: 3, retryDays: [3, 5], mail: { secret: 'a' }, kept: true },
      after: { usageGraceDays: 5, retryDays: [3], mail: { secret: 'b' }, kept: true },
    }),
    [
      { field: 'settings.usageGraceDays', before: '3', after: '5' },
      { field: 'settings.retryDays', before: '[3,5]', after: '[3]' },
      { field: 'settings.mail.secret' },
    ],
  );
});
