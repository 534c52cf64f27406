/** Examples: the contacts of a customer. */
import type { Step } from '../../docs/examples/example-step.ts';

function stepsOf(contact: 'billingContact' | 'salesContact', name: string): Step[] {
  const made = (name: string) => ({ needs: contact === 'salesContact' ? [name] : [] });
  const byId = {
    route: `/customer/:id/${contact}`,
    path: `/customer/{customer}/${contact}`,
    ...made('salesContact-create'),
  };
  const byReference = {
    route: `/customer/${contact}`,
    path: `/customer/${contact}?extCustomerRef={ref}`,
    ...made('salesContact-create-by-reference'),
  };
  const summary = `The ${contact}`;
  const request = (phone: string) => `<${contact}>
  <firstName>${name}</firstName>
  <workPhone>${phone}</workPhone>
</${contact}>`;
  return [
    { name: contact, summary, method: 'GET', ...byId },
    { name: `${contact}-by-reference`, summary, method: 'GET', ...byReference },
    {
      name: `${contact}-update`,
      summary: 'Another telephone number; the rest stays',
      method: 'PUT',
      ...byId,
      request: request('+1 555 0101'),
    },
    {
      name: `${contact}-update-by-reference`,
      summary: 'Another telephone number; the rest stays',
      method: 'PUT',
      ...byReference,
      request: request('+1 555 0102'),
    },
  ];
}

/** In both addressing forms. */
const ofSalesContact: readonly Step[] = ['by id', 'by reference'].flatMap((form): Step[] => {
  const isById = form === 'by id';
  const route = isById ? '/customer/:id/salesContact' : '/customer/salesContact';
  const path = isById
    ? '/customer/{customer}/salesContact'
    : '/customer/salesContact?extCustomerRef={ref}';
  const end = isById ? '' : '-by-reference';
  return [
    {
      name: `salesContact-create${end}`,
      summary: 'Create it',
      method: 'POST',
      route,
      path,
      request: `<salesContact>
  <firstName>Sam</firstName>
  <emailPrimary>sam@example.com</emailPrimary>
</salesContact>`,
      status: 201,
    },
    {
      name: `salesContact-delete${end}`,
      summary: 'Delete it',
      method: 'DELETE',
      route,
      path,
      needs: [`salesContact-create${end}`],
    },
  ];
});

const refused: Step = {
  name: 'salesContact-create-refused',
  summary: 'A customer that has one already',
  method: 'POST',
  route: '/customer/salesContact',
  path: '/customer/salesContact?extCustomerRef={ref}',
  needs: ['salesContact-create-by-reference'],
  request: `<salesContact>
  <firstName>Sue</firstName>
</salesContact>`,
  status: 400,
};

export const contactSteps: readonly Step[] = [
  ...stepsOf('billingContact', 'Ada'),
  ...stepsOf('salesContact', 'Sam'),
  ...ofSalesContact,
  refused,
];
