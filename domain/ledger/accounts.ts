/** The accounts of the ledger, the codes that a tenant gives them, and the types of its entries. */
import { chargedRate, rateOf, type GivenRate } from '../tax/rates.ts';

/** In the order of an entry's rows, those of one side together. */
export const ledgerAccounts = [
  'receivables',
  'cash',
  'unapplied',
  'revenue',
  'tax',
  'adjustments',
  'surcharges',
  'writeOffs',
  'carriedOver',
  'openingBalance',
] as const;
export type LedgerAccount = (typeof ledgerAccounts)[number];

export const entryTypes = [
  'Invoice',
  'CreditNote',
  'InvoiceCancelled',
  'Payment',
  'PaymentReversed',
  'Refund',
  'Credit',
  'Debit',
  'Application',
  'CarriedOver',
  'ZeroOut',
  'OpeningBalance',
  'ImportedInvoice',
] as const;
export type EntryType = (typeof entryTypes)[number];

/** The code of each account, unless the tenant's file says another. */
export const defaultCodes: Readonly<Record<LedgerAccount, string>> = {
  receivables: '1200',
  cash: '1000',
  unapplied: '2300',
  revenue: '4000',
  tax: '2200',
  adjustments: '4900',
  surcharges: '4950',
  writeOffs: '6900',
  carriedOver: '1290',
  openingBalance: '3900',
};

/** The code of what one gateway, or one method without a gateway, brings. */
export interface CashAccount {
  readonly gateway?: string | undefined;
  readonly method?: string | undefined;
  readonly code: string;
}

/** What the tenant's file says of its accounts. */
export type GivenCodes = { readonly [Account in LedgerAccount]?: string | undefined } & {
  readonly cashAccounts?: readonly CashAccount[] | undefined;
};

interface RateCode {
  readonly taxCode: string;
  readonly jurisdiction: string;
  readonly name: string;
  readonly code: string;
}

/** The codes of a tenant: those of its accounts, of what brings cash, and of its tax rates. */
export type AccountingCodes = Readonly<Record<LedgerAccount, string>> & {
  /** The first that fits counts. */
  readonly cashAccounts: readonly CashAccount[];
  readonly rates: readonly RateCode[];
};

/**
 * The codes that a file gives, with the usual ones.
 *
 * @example codesOf({ receivables: '1210' }, []).receivables // '1210'
 */
export function codesOf(
  given: GivenCodes,
  rates: readonly (GivenRate & { readonly accountingCode?: string | undefined })[],
): AccountingCodes {
  const codes = ledgerAccounts.map((account) => [account, given[account] ?? defaultCodes[account]]);
  return {
    ...(Object.fromEntries(codes) as Record<LedgerAccount, string>),
    cashAccounts: given.cashAccounts ?? [],
    rates: rates.flatMap(({ accountingCode: code, ...rate }) => {
      if (code === undefined) return [];
      const { taxCode, jurisdiction, name } = chargedRate(rateOf(rate));
      return [{ taxCode, jurisdiction, name, code }];
    }),
  };
}
