/** The parameters of `widget/start`, as far as they can be judged without a tenant. */
import { z } from 'zod';
import {
  DEFAULT_PROFILE,
  editOrderOptions,
  editOrderOptionsOf,
  NO_OPTIONS,
} from '../../../domain/self-service/switches.ts';
import type { SessionQuery } from '../../../operations/self-service/start-faults.ts';
import { byCustomer } from '../../calls/queries.ts';
import { boolean, text } from '../../xml/types.ts';
import { pageAddress, stylesheet } from '../page-addresses.ts';

const OPTIONS = `${NO_OPTIONS}, or some of ${editOrderOptions.join(', ')}, separated by commas`;

const orderOptions = () =>
  text()
    .refine((value) => editOrderOptionsOf(value) !== undefined, { params: { expected: OPTIONS } })
    .meta({ 'x-expected': OPTIONS });

export const startQuery = z.object({
  cssURL: stylesheet(),
  ...byCustomer(),
  loginUrl: pageAddress(),
  showNavigationBar: boolean().optional(),
  showStatements: boolean().optional(),
  showPayments: boolean().optional(),
  allowPayments: boolean().optional(),
  allowProfileEdit: boolean().optional(),
  editOrderOptions: orderOptions().optional(),
  pdfMode: boolean().optional(),
  profile: text().default(DEFAULT_PROFILE),
});

export function sessionQuery(query: z.output<typeof startQuery>): SessionQuery {
  const { cssURL, loginUrl, customerId, extCustomerRef, profile, ...given } = query;
  const { editOrderOptions: options, ...flags } = given;
  const chosen = options === undefined ? undefined : editOrderOptionsOf(options);
  return {
    cssUrl: cssURL,
    loginUrl,
    customerId: customerId ?? null,
    extCustomerRef: extCustomerRef ?? null,
    profile,
    switches: { ...flags, editOrderOptions: chosen },
  };
}
