/** The paths of the workflow of a tenant's mails that are kept as histories. */
import type { WorkflowHandle } from '@temporalio/client';
import { inTenant } from '../../../db/connection/tenancy.ts';
import type { Nudge } from '../../../operations/context/nudge.ts';
import {
  attributesOf,
  isRunning,
  openTenant,
  until,
  type Harness,
} from '../../workflows/harness.ts';

const mails: Nudge = { kind: 'mail', objectId: null };

/** A tenant with one order, whose mail follows; a template that fails puts it off. */
async function oneMail(harness: Harness, template?: string) {
  const notifications = { from: 'billing@demo.example', enabled: ['newOrder'] };
  const books = await openTenant(harness, {
    testClock: '2027-01-01T12:00:00Z',
    file: { notifications },
  });
  const customerId = await books.customer();
  const change = (sql: string, values: readonly unknown[]) =>
    inTenant(harness.dependencies.db, books.tenantId, (tx) => tx.query(sql, values));
  await change(
    `insert into contact (tenant_id, customer_id, kind, email_primary)
     values ($1, $2, 'billing', 'ada@example.com')`,
    [books.tenantId, customerId],
  );
  if (template !== undefined) {
    await change(
      `insert into mail_template (tenant_id, name, content)
       values ($1, 'newOrder.text.liquid', $2)`,
      [books.tenantId, template],
    );
  }
  await books.order({ customerId, contractCode: 'GOLD' });
  const workflow = books.workflow(mails);
  await until('the mail is queued', async () => {
    const rows = await books.read((tx) => tx.query('select from mail'));
    return rows.length > 0;
  });
  await books.start(mails);
  return { books, change, workflow };
}

export const mailPaths: Record<string, (harness: Harness) => Promise<WorkflowHandle>> = {
  async 'mail-sends'(harness) {
    const { workflow } = await oneMail(harness);
    await workflow.result();
    return workflow;
  },

  async 'mail-waits-and-sends'(harness) {
    const { books, change, workflow } = await oneMail(harness, '{{ values.nobody }}');
    await until(
      'it waits',
      async () =>
        (await isRunning(workflow)) && (await attributesOf(workflow)).includes('Phase=Waiting'),
    );
    await change('delete from mail_template where tenant_id = $1', [books.tenantId]);
    await change('update mail set next_attempt_at = now() where tenant_id = $1', [books.tenantId]);
    await books.start(mails);
    await workflow.result();
    return workflow;
  },
};
