/** The interface of a gateway adapter, before adapters.ts adds time limits. */
import type {
  AskedFor,
  Challenge,
  ChargeCall,
  ConfirmCall,
  EnteredInVault,
  GatewayAnswer,
  GatewayName,
  GatewayOperation,
  GatewayStatus,
  MadeCalls,
  MadeCharge,
  MethodDetails,
  MethodNow,
  ReturnCall,
  StoreOptions,
  ValidateCall,
  VaultedMethod,
  WaitingCall,
  Withdrawal,
} from './gateway.ts';

/**
 * The operations of a Gateway. `signal` is aborted when the caller stops waiting: the adapter then
 * sends nothing further, although a call that was already sent continues.
 */
export interface GatewayAdapter {
  readonly name: GatewayName;
  readonly store: (
    details: MethodDetails,
    idempotencyKey: string,
    signal: AbortSignal,
    options?: StoreOptions,
  ) => Promise<VaultedMethod>;
  readonly entered: (gatewayToken: string, signal: AbortSignal) => Promise<EnteredInVault>;
  readonly validate: (call: ValidateCall, signal: AbortSignal) => Promise<GatewayAnswer>;
  readonly charge: (call: ChargeCall, signal: AbortSignal) => Promise<GatewayAnswer>;
  readonly confirm: (call: ConfirmCall, signal: AbortSignal) => Promise<GatewayAnswer>;
  readonly end: (call: WaitingCall, signal: AbortSignal) => Promise<GatewayAnswer>;
  readonly challenge: (call: WaitingCall, signal: AbortSignal) => Promise<Challenge | null>;
  readonly refund: (call: ReturnCall, signal: AbortSignal) => Promise<GatewayAnswer>;
  readonly void: (call: ReturnCall, signal: AbortSignal) => Promise<GatewayAnswer>;
  readonly status: (
    operation: GatewayOperation,
    asked: AskedFor,
    signal: AbortSignal,
  ) => Promise<GatewayStatus>;
  readonly method: (
    stored: Pick<VaultedMethod, 'token' | 'mandate'>,
    signal: AbortSignal,
  ) => Promise<MethodNow>;
  readonly remove: (stored: Pick<VaultedMethod, 'token'>, signal: AbortSignal) => Promise<void>;
  readonly withdrawals: (charge: MadeCharge, signal: AbortSignal) => Promise<readonly Withdrawal[]>;
  readonly made: (since: Date, from: string | null, signal: AbortSignal) => Promise<MadeCalls>;
}
