/** Examples: the metadata of an object of each kind. */
import type { Step } from '../../docs/examples/example-step.ts';

const request = `<metadata>
  <entry>
    <key>crm</key>
    <value>A-1</value>
  </entry>
</metadata>`;

const kinds = [
  { path: 'customer', id: '{customer}' },
  { path: 'order', id: '{unbilled}' },
  { path: 'invoice', id: '{paidInvoice}' },
  { path: 'payment', id: '{cash}' },
  { path: 'credit', id: '{credit}' },
  { path: 'refund', id: '{refund}' },
] as const;

export const metadataSteps: readonly Step[] = kinds.map(({ path, id }) => ({
  name: `${path}-metadata`,
  summary: 'One entry in place of all that there were',
  method: 'PUT',
  route: `/${path}/:id/metadata`,
  path: `/${path}/${id}/metadata`,
  request,
}));
