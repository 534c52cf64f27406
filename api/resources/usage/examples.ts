/** Examples: usage records of an order that bills minutes. */
import type { Step } from '../../docs/examples/example-step.ts';

const upload = `<list>
  <activity>
    <extRefId>{ref}-1</extRefId>
    <extCustomerRef>{ref}</extCustomerRef>
    <priceCode>MINUTES</priceCode>
    <quantity>70</quantity>
  </activity>
  <activity>
    <extRefId>{ref}-2</extRefId>
    <orderNumber>{meteredNumber}</orderNumber>
    <quantity>110</quantity>
    <invoiceText>Roaming</invoiceText>
  </activity>
</list>`;

const uploads: readonly Step[] = [
  {
    name: 'activities-upload',
    summary: 'Two records: by customer and price, and by order',
    method: 'POST',
    route: '/activities',
    path: '/activities',
    request: upload,
    status: 201,
    keeps: { activity: '<activity id="' },
  },
  {
    name: 'activities-upload-again',
    summary: 'Records whose extRefId is taken are passed over, and shown as they are stored',
    method: 'POST',
    route: '/activities',
    path: '/activities?onDuplicate=skip',
    request: upload,
    status: 201,
    needs: ['activities-upload'],
  },
  {
    name: 'activities-correct',
    summary: 'A correction takes 20 units of a record back',
    method: 'POST',
    route: '/activities',
    path: '/activities',
    request: `<list>
  <activity>
    <extRefId>{ref}-3</extRefId>
    <quantity>-20</quantity>
    <correctsExtRefId>{ref}-1</correctsExtRefId>
  </activity>
</list>`,
    status: 201,
    needs: ['activities-upload'],
  },
  {
    name: 'activities-refused',
    summary: 'Every record at fault is listed, and none is stored',
    method: 'POST',
    route: '/activities',
    path: '/activities',
    request: `<list>
  <activity>
    <orderNumber>{meteredNumber}</orderNumber>
    <priceCode>LINE</priceCode>
    <quantity>5</quantity>
  </activity>
  <activity>
    <extCustomerRef>{ref}</extCustomerRef>
    <priceCode>MINUTES</priceCode>
    <quantity>5</quantity>
    <chargeDate>2020-01-06</chargeDate>
  </activity>
  <activity>
    <orderNumber>{meteredNumber}</orderNumber>
    <quantity>5</quantity>
  </activity>
</list>`,
    status: 400,
  },
  {
    name: 'order-activities',
    summary: 'Records of one order need no further names',
    method: 'POST',
    route: '/order/:id/activities',
    path: '/order/{metered}/activities',
    request: '<list><activity><quantity>12.5</quantity></activity></list>',
    status: 201,
  },
  {
    name: 'order-activities-by-number',
    summary: 'The same by order number, with an amount of its own',
    method: 'POST',
    route: '/order/activities',
    path: '/order/activities?orderNumber={meteredNumber}',
    request: '<list><activity><amount>7.00</amount></activity></list>',
    status: 201,
  },
];

export const usageSteps: readonly Step[] = [
  {
    name: 'order-create-metered',
    summary: 'An order that bills usage: its line MINUTES takes usage records',
    method: 'POST',
    route: '/orders',
    path: '/orders?extCustomerRef={ref}',
    request: `<subscriptionOrder>
  <contractCode>METERED</contractCode>
</subscriptionOrder>`,
    status: 201,
    keeps: { metered: '<subscriptionOrder id="', meteredNumber: '<orderNumber>' },
    needs: ['customer-create'],
  },
  ...uploads,
  {
    name: 'activities',
    summary: 'The records of a customer in a time, the first by chargeDate',
    method: 'GET',
    route: '/activities',
    path: '/activities?extCustomerRef={ref}&priceCode=MINUTES&beginDate={year}-01-01&max=100',
    needs: ['activities-upload'],
  },
  {
    name: 'activity-delete-by-reference',
    summary: 'Delete a record by its extRefId',
    method: 'DELETE',
    route: '/activity',
    path: '/activity?extRefId={ref}-2',
    needs: ['activities-upload'],
  },
  {
    name: 'activity-delete',
    summary: 'Delete a record by its id',
    method: 'DELETE',
    route: '/activity/:id',
    path: '/activity/{activity}',
  },
];
