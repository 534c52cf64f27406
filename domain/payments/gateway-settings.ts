/** What a tenant's file says of its gateway, with the defaults of what it leaves out. */

/** The kinds of payment methods that a payer may enter on a page. */
export const enteredMethods = ['card', 'sepa', 'usBankAccount'] as const;
export type EnteredMethod = (typeof enteredMethods)[number];

/** The most days that a payer has to confirm a payment, or that a debit is announced before. */
export const ACTION_DAYS_MAX = 14;
export const DEBIT_NOTICE_DAYS_MAX = 14;

const ACTION_DAYS_TOLD = 3;
const DEBIT_NOTICE_DAYS = 2;

export interface GatewaySettings {
  /** Names the account in browsers; null: pages take no new method, where the gateway needs it. */
  readonly publishableKey: string | null;
  /** Whether calls may send card numbers. */
  readonly rawCards: boolean;
  /** What pages offer. */
  readonly methods: readonly EnteredMethod[];
  /** How many days an absent payer has to confirm a payment; 0: it is declined at once. */
  readonly actionDays: number;
  /** How many days before a SEPA debit its payer is told. */
  readonly debitNoticeDays: number;
  /** The script of the gateway's own fields; null: the gateway's own address. */
  readonly scriptUrl: string | null;
}

/** As `tenant.file` has them: files that were stored before a key existed lack it. */
export type GivenGatewaySettings = {
  readonly [Key in keyof GatewaySettings]?: NonNullable<GatewaySettings[Key]> | undefined;
};

/**
 * The settings that hold.
 *
 * @param tellsPayers whether a mail or a callback tells absent payers that they have to confirm
 * @example gatewaySettingsOf({}, { tellsPayers: true }).actionDays // 3
 */
export function gatewaySettingsOf(
  given: GivenGatewaySettings,
  { tellsPayers }: { readonly tellsPayers: boolean },
): GatewaySettings {
  return {
    publishableKey: given.publishableKey ?? null,
    rawCards: given.rawCards ?? true,
    methods: given.methods ?? ['card'],
    actionDays: given.actionDays ?? (tellsPayers ? ACTION_DAYS_TOLD : 0),
    debitNoticeDays: given.debitNoticeDays ?? DEBIT_NOTICE_DAYS,
    scriptUrl: given.scriptUrl ?? null,
  };
}
