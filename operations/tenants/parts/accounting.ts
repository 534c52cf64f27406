/** The codes of a tenant's accounts in the ledger. */
import { z } from 'zod';
import {
  codesOf,
  defaultCodes,
  ledgerAccounts,
  type LedgerAccount,
} from '../../../domain/ledger/accounts.ts';
import { paymentMethodTypes } from '../../../domain/payments/allocation.ts';
import { gatewayNames } from '../../../providers/gateway/gateway.ts';
import type { Tx } from '../../../db/connection/tenancy.ts';
import { insertCodes, readCodes } from '../../../db/queries/ledger/codes.ts';
import { isSame, type Change } from '../file/changes.ts';
import { isGiven, type Loose } from '../file/loose.ts';
import type { Report } from '../file/mistakes.ts';
import * as kind from '../file/scalars.ts';
import type { tax } from './tax.ts';

const whatIsBooked: Readonly<Record<LedgerAccount, string>> = {
  receivables: 'What customers owe.',
  cash: 'Money that came, unless `cashAccounts` say another.',
  unapplied: 'Money that is applied to nothing yet.',
  revenue: 'Charges without an `accountingCode`.',
  tax: 'Taxes whose rate has no `accountingCode`.',
  adjustments: 'Credits and debits.',
  surcharges: 'Surcharges of payments.',
  writeOffs: 'Balances that a BatchInit brought to zero.',
  carriedOver: 'What a BatchInit carried over.',
  openingBalance: 'What imported customers and invoices owed.',
};

const codes = Object.fromEntries(
  ledgerAccounts.map((account) => [
    account,
    kind
      .accountingCode()
      .optional()
      .describe(`${whatIsBooked[account]} \`${defaultCodes[account]}\` by default.`),
  ]),
) as Record<LedgerAccount, z.ZodOptional<ReturnType<typeof kind.accountingCode>>>;

const cashAccount = z.strictObject({
  gateway: kind.choice(gatewayNames).optional().describe('This or `method`.'),
  method: kind.choice(paymentMethodTypes).optional().describe('This or `gateway`.'),
  code: kind.accountingCode(),
});

const schema = z.strictObject({
  ...codes,
  cashAccounts: z
    .array(cashAccount)
    .optional()
    .describe(
      'The code of what comes through a gateway, or by a method; the first that fits counts.',
    ),
});

type Accounting = z.output<typeof schema>;

type LooseFile = Loose<{ readonly accounting?: Accounting }>;

interface Applying {
  readonly stored: {
    readonly accounting?: Accounting | undefined;
    readonly tax: Pick<z.output<typeof tax.schema>, 'rates'>;
  };
}

export const accounting = {
  schema: schema
    .optional()
    .describe(
      'The codes of the accounts of the ledger. The first codes that a tenant has hold for what was ' +
        'booked before them, too; later ones for what is booked after they were applied.',
    ),
  check({ accounting: given }: LooseFile, report: Report): void {
    given?.cashAccounts?.forEach((each, index) => {
      if (!each || isGiven(each, 'gateway') !== isGiven(each, 'method')) return;
      report(['accounting', 'cashAccounts', index], 'must have either a gateway or a method');
    });
  },
  /** A row for each change, which what was booked before does not see. */
  async apply(tx: Tx, { stored: { accounting: given, tax: taxes } }: Applying): Promise<Change[]> {
    const before = await readCodes(tx);
    const isNamed =
      given !== undefined || taxes.rates.some((rate) => rate.accountingCode !== undefined);
    if (before === undefined && !isNamed) return [];
    const after = codesOf(given ?? {}, taxes.rates);
    if (!isSame(before, after)) insertCodes(tx, [{ codes: after }]);
    return [];
  },
};
