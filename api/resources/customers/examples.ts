/** Examples: customers and their contacts. */
import { contactSteps } from './examples-contacts.ts';
import type { Step } from '../../docs/examples/example-step.ts';

const create: Step = {
  name: 'customer-create',
  summary: 'A customer with a billing contact',
  method: 'POST',
  route: '/customers',
  path: '/customers',
  request: `<customer>
  <extCustomerRef>{ref}</extCustomerRef>
  <locale>en_US</locale>
  <billingContact>
    <firstName>Ada</firstName>
    <lastName>Byron</lastName>
    <emailPrimary>ada@example.com</emailPrimary>
    <workPhone>+1 555 0100</workPhone>
    <address>
      <street1>1 Main St</street1>
      <city>Albany</city>
      <state>NY</state>
      <zip>12207</zip>
      <country>United States</country>
      <countryCode>US</countryCode>
    </address>
  </billingContact>
</customer>`,
  status: 201,
  keeps: { customer: '<customer id="' },
};

const again: Step = {
  ...create,
  name: 'customer-create-again',
  summary: 'The same call with the same key: the same answer, and no second customer',
  needs: ['customer-create'],
  keyOf: 'customer-create',
};

const refused: Step = {
  name: 'customer-create-refused',
  summary: 'A document with three mistakes: all of them are named',
  method: 'POST',
  route: '/customers',
  path: '/customers',
  request: `<customer>
  <extCustomerRef>C-1002</extCustomerRef>
  <locale>english</locale>
  <paymentTermsValue>thirty</paymentTermsValue>
  <salary>1.00</salary>
  <billingContact>
    <firstName>Bo</firstName>
  </billingContact>
</customer>`,
  status: 400,
};

const malformed: Step = {
  name: 'customer-create-malformed',
  summary: 'A document that is not well-formed: the answer says in which line and column',
  method: 'POST',
  route: '/customers',
  path: '/customers',
  request: `<customer>
  <name>Bo Diddley</nme>
</customer>`,
  status: 400,
};

const reads: readonly Step[] = [
  {
    name: 'customer',
    summary: 'A customer by id',
    method: 'GET',
    route: '/customer/:id',
    path: '/customer/{customer}',
  },
  {
    name: 'customer-by-reference',
    summary: 'A customer by external reference',
    method: 'GET',
    route: '/customer',
    path: '/customer?extCustomerRef={ref}',
  },
  {
    name: 'customer-unknown',
    summary: 'A customer that does not exist',
    method: 'GET',
    route: '/customer',
    path: '/customer?extCustomerRef=C-9999',
    status: 404,
  },
  {
    name: 'customers',
    summary: 'The first ten Active customers',
    method: 'GET',
    route: '/customers',
    needs: ['customer-create'],
    path: '/customers?status=Active&offset=0&max=10',
  },
  {
    name: 'customers-search',
    summary: 'Search for customers by a word',
    method: 'GET',
    route: '/customers',
    needs: ['customer-create'],
    path: '/customers?search=byron',
  },
];

const changes: readonly Step[] = [
  {
    name: 'customer-update',
    summary: 'An absent element keeps its value, an empty one clears it',
    method: 'PUT',
    route: '/customer/:id',
    path: '/customer/{customer}',
    request: `<customer>
  <isBusinessAccount>true</isBusinessAccount>
  <paymentTermsValue>14</paymentTermsValue>
  <paymentTermsUnits>Days</paymentTermsUnits>
  <purchaseOrder>PO-4711</purchaseOrder>
  <electronicAddress>0088:4012345000009</electronicAddress>
  <buyerReference>Purchasing</buyerReference>
  <salesContact>
    <firstName>Sam</firstName>
    <emailPrimary>sam@example.com</emailPrimary>
  </salesContact>
</customer>`,
  },
  {
    name: 'customer-update-conflict',
    summary: 'A change of an outdated version',
    method: 'PUT',
    route: '/customer/:id',
    path: '/customer/{customer}',
    needs: ['customer-update'],
    headers: { 'If-Match': '"1"' },
    request: `<customer>
  <name>Ada Lovelace</name>
</customer>`,
    status: 412,
  },
  {
    name: 'customer-update-by-reference',
    summary: 'A new name',
    method: 'PUT',
    route: '/customer',
    path: '/customer?extCustomerRef={ref}',
    request: `<customer>
  <name>Ada Byron, Countess of Lovelace</name>
</customer>`,
  },
  {
    name: 'customer-update-action',
    summary: 'The same as PUT, as an action',
    method: 'POST',
    route: '/customer/:id',
    action: 'updateCustomerRest',
    path: '/customer/{customer}?actionName=updateCustomerRest',
    request: `<customer>
  <locale>en_GB</locale>
</customer>`,
  },
];

const actions: readonly Step[] = [
  {
    name: 'customer-suspend',
    summary: 'Suspend the billing of the customer',
    method: 'POST',
    route: '/customer/:id',
    action: 'suspend',
    path: '/customer/{customer}?actionName=suspend',
  },
  {
    name: 'customer-activate',
    summary: 'Resume the billing of the customer',
    method: 'POST',
    route: '/customer/:id',
    action: 'activate',
    needs: ['customer-suspend'],
    path: '/customer/{customer}?actionName=activate',
  },
  {
    name: 'customer-suspend-until',
    summary: 'Suspend it until a day, which is the first one that bills again',
    method: 'POST',
    route: '/customer/:id',
    action: 'suspend',
    needs: ['customer-activate'],
    path: '/customer/{customer}?actionName=suspend&until={comingYear}-03-01',
  },
  {
    name: 'customer-activate-before',
    summary: 'Resume the billing before that day',
    method: 'POST',
    route: '/customer/:id',
    action: 'activate',
    needs: ['customer-suspend-until'],
    path: '/customer/{customer}?actionName=activate',
  },
  {
    name: 'customer-suspend-by-reference',
    summary: 'By external reference',
    method: 'POST',
    route: '/customer',
    action: 'suspend',
    path: '/customer?extCustomerRef={ref}&actionName=suspend',
  },
  {
    name: 'customer-activate-by-reference',
    summary: 'By external reference',
    method: 'POST',
    route: '/customer',
    action: 'activate',
    needs: ['customer-suspend-by-reference'],
    path: '/customer?extCustomerRef={ref}&actionName=activate',
  },
];

export const customerSteps: readonly Step[] = [
  create,
  again,
  refused,
  malformed,
  ...reads,
  ...changes,
  ...actions,
  ...contactSteps,
];
