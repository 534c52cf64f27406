/** Examples: transitions, customers created with their orders, deleted customers. */
import type { Step } from '../../docs/examples/example-step.ts';

const further: readonly Step[] = [
  {
    name: 'customer-transitions',
    summary: 'The status changes of the last week',
    method: 'GET',
    route: '/customers/transitions',
    needs: ['customer-suspend'],
    path: '/customers/transitions?daysAgo=7',
  },
  {
    name: 'customer-and-order',
    summary: 'Create a customer and its first orders in one transaction',
    method: 'POST',
    route: '/customers',
    action: 'addCustomerAndOrder',
    path: '/customers?actionName=addCustomerAndOrder',
    request: `<addCustomerAndOrder>
  <customer>
    <extCustomerRef>{ref}</extCustomerRef>
    <billingContact>
      <companyName>Bell Voice Ltd</companyName>
    </billingContact>
  </customer>
  <subscriptionOrders>
    <subscriptionOrder>
      <contractCode>METERED</contractCode>
    </subscriptionOrder>
  </subscriptionOrders>
</addCustomerAndOrder>`,
    status: 201,
  },
];

/** Customers without orders can be deleted; the action is another form of the same call. */
const removals: readonly Step[] = [
  {
    name: 'customer-create-action',
    summary: 'The same as without an action',
    method: 'POST',
    route: '/customers',
    path: '/customers?actionName=saveCustomerRest',
    request: `<customer>
  <extCustomerRef>{ref}-2</extCustomerRef>
  <name>Bo Diddley</name>
  <billingContact>
    <emailPrimary>bo@example.com</emailPrimary>
  </billingContact>
</customer>`,
    status: 201,
    keeps: { spare: '<customer id="' },
  },
  {
    name: 'customer-delete',
    summary: 'A customer that has no orders, invoices or payments',
    method: 'DELETE',
    route: '/customer/:id',
    path: '/customer/{spare}',
  },
  {
    name: 'customer-create-short',
    summary: 'With nothing but a name',
    method: 'POST',
    route: '/customers',
    path: '/customers',
    request: `<customer>
  <extCustomerRef>{ref}-3</extCustomerRef>
  <name>Bo Diddley</name>
  <billingContact>
    <firstName>Bo</firstName>
  </billingContact>
</customer>`,
    status: 201,
  },
  {
    name: 'customer-delete-by-reference',
    summary: 'By external reference',
    method: 'DELETE',
    route: '/customer',
    path: '/customer?extCustomerRef={ref}-3',
    needs: ['customer-create-short'],
  },
  {
    name: 'customer-delete-refused',
    summary: 'A customer that has an order',
    method: 'DELETE',
    route: '/customer',
    path: '/customer?extCustomerRef={ref}',
    needs: ['order-create'],
    status: 400,
  },
];

/** Admins alone erase, and for ever. */
const erasures: readonly Step[] = [
  {
    name: 'customer-create-to-erase',
    summary: 'A customer that will not be there for long',
    method: 'POST',
    route: '/customers',
    path: '/customers',
    request: `<customer>
  <extCustomerRef>{ref}-4</extCustomerRef>
  <name>Cleo Erased</name>
  <billingContact>
    <emailPrimary>cleo@example.com</emailPrimary>
  </billingContact>
</customer>`,
    status: 201,
    keeps: { erasable: '<customer id="' },
  },
  {
    name: 'customer-erase',
    summary: 'Nothing of it is open: what is personal is emptied',
    method: 'POST',
    route: '/customer/:id',
    action: 'erase',
    path: '/customer/{erasable}?actionName=erase',
    isOfAdmin: true,
  },
  {
    name: 'customer-erase-by-reference',
    summary: 'By external reference, which is another one from then on: the same answer',
    method: 'POST',
    route: '/customer',
    action: 'erase',
    needs: ['customer-erase'],
    path: '/customer?extCustomerRef=erased-{erasable}&actionName=erase',
    isOfAdmin: true,
  },
  {
    name: 'customer-erase-refused',
    summary: 'A customer with an order that has not ended: an error for each reason',
    method: 'POST',
    route: '/customer',
    action: 'erase',
    path: '/customer?extCustomerRef={ref}&actionName=erase',
    needs: ['order-create'],
    status: 400,
    isOfAdmin: true,
  },
];

export const furtherCustomerSteps: readonly Step[] = [...further, ...removals, ...erasures];
