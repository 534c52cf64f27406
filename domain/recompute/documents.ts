/**
 * What the second calculator reads: documents as GET shows them, and the terms that a tenant's file
 * shows. It is written from the rules alone and imports nothing of the product, so that an error of
 * the billing rules is not repeated here.
 */

/** A charge of an invoice document. Its kind is not shown: `kindOf` infers it. */
export interface ShownCharge {
  readonly id: number;
  readonly position: number;
  readonly priceCode: string | null;
  readonly contractChargeId: number | null;
  readonly orderLineItemId: number | null;
  readonly pricingTierId: number | null;
  readonly isPercent: boolean;
  readonly isUsageChargeSubTotal: boolean;
  readonly billingStartDate: string | null;
  readonly billingEndDate: string | null;
  readonly unitPrice: string | null;
  readonly quantity: string | null;
  readonly amount: string;
  readonly invoiceText: string | null;
}

export interface ShownLine {
  readonly position: number;
  readonly subscriptionOrderId: number | null;
  readonly billingStartDate: string | null;
  readonly billingEndDate: string | null;
  readonly lineAmountTotal: string;
  readonly charges: readonly ShownCharge[];
}

export interface ShownInvoice {
  readonly id: number;
  readonly invoiceNumber: string;
  readonly status: string;
  readonly invoiceDate: string;
  readonly dueDate: string;
  readonly billingStartDate: string | null;
  readonly billingEndDate: string | null;
  readonly customerId: number;
  readonly currency: string;
  readonly previousBalance: string;
  readonly paymentsAndAdjustments: string;
  readonly currentAmountDue: string;
  readonly totalDue: string;
  /** The invoice of which it gives back, if it is a credit note. */
  readonly creditNoteOfId: number | null;
  readonly lines: readonly ShownLine[];
}

export interface ShownOrderLine {
  readonly id: number;
  readonly contractChargeId: number;
  readonly priceCode: string;
  readonly quantity: string;
  readonly unitPrice: string | null;
  readonly isActive: boolean;
}

export interface ShownOrder {
  readonly id: number;
  readonly orderNumber: string;
  readonly orderStatus: string;
  readonly startDate: string;
  /** The last free day. */
  readonly trialEndDate: string | null;
  readonly endDate: string | null;
  readonly customerId: number;
  readonly currency: string;
  readonly contractOfferingId: number;
  readonly separateInvoice: number;
  readonly jobCode: string | null;
  readonly couponCode: string | null;
  readonly isAutoRenew: boolean;
  readonly dueDateValue: number | null;
  readonly dueDateUnits: string | null;
  readonly previousOrderId: number | null;
  readonly nextOrderId: number | null;
  readonly invoiceIds: readonly number[];
  readonly lines: readonly ShownOrderLine[];
}

export interface ShownTier {
  readonly id: number;
  readonly unitsFrom: string;
  readonly unitsTo: string | null;
  readonly price: string | null;
  readonly percent: string | null;
  readonly currency: string;
}

export interface ShownPlanCharge {
  readonly id: number;
  readonly priceCode: string;
  readonly chargeType: string;
  readonly pricingType: string;
  readonly isPrepaid: boolean;
  readonly isProrated: boolean;
  readonly isPenalty: boolean;
  readonly isTax: boolean;
  readonly isSeparateInvoice: boolean;
  readonly standardQuantity: string;
  readonly taxCodes: readonly string[];
  readonly pricingTiers: readonly ShownTier[];
}

export interface ShownPlan {
  readonly id: number;
  readonly billingPeriod: string;
  readonly billingAlignment: string;
  readonly alignmentDay: number | null;
  readonly dueDateValue: number | null;
  readonly dueDateUnits: string | null;
  readonly charges?: readonly ShownPlanCharge[];
}

export interface ShownCustomer {
  readonly id: number;
  readonly paymentTermsValue: number | null;
  readonly paymentTermsUnits: string | null;
  readonly billingContact: {
    readonly address: {
      readonly state: string | null;
      readonly country: string | null;
      readonly countryCode: string | null;
    };
  } | null;
}

/** A usage record. */
export interface ShownActivity {
  readonly id: number;
  readonly extRefId: string | null;
  readonly orderLineItemId: number;
  readonly quantity: string;
  /** Of a billed record without a supplied amount, its share. */
  readonly amount: string | null;
  readonly unitPrice: string | null;
  readonly chargeDate: string;
  readonly correctsExtRefId: string | null;
  readonly invoiceNumber: string | null;
  /** Whether the amount was supplied, and whether what it corrects was billed by then: not shown. */
  readonly isAmountSupplied: boolean;
  readonly correctsBilled: boolean;
}

/** Days strictly between both are not served; `resumedOn` is null while it lasts. */
export interface ShownPause {
  readonly suspendedOn: string;
  readonly resumedOn: string | null;
}

/** The days of an order line, where they are not those of its order. */
export interface ShownLineDays {
  readonly startsOn: string | null;
  readonly endsOn: string | null;
}

/** The terms that an order took its coupon by. */
export interface CouponTerms {
  readonly code: string;
  readonly percent: string | null;
  readonly amount: string | null;
  readonly isOnce: boolean;
  readonly periods: number | null;
}

export interface ShownRate {
  readonly country: string;
  readonly state?: string | null;
  readonly percent: string;
  readonly taxCode: string;
  readonly name: string;
}

/** Everything that one call reads; what is named and absent is not recomputed. */
export interface Shown {
  /** In the order of their making; of each customer the newest, without a gap. */
  readonly sample: readonly ShownInvoice[];
  /** The sample is all that the tenant has. */
  readonly isWhole: boolean;
  /** Further invoices of the orders of the sample. */
  readonly others: readonly ShownInvoice[];
  readonly orders: ReadonlyMap<number, ShownOrder>;
  readonly plans: ReadonlyMap<number, ShownPlan>;
  readonly customers: ReadonlyMap<number, ShownCustomer>;
  /** By invoiceNumber; null if there are too many to read. */
  readonly activities: ReadonlyMap<string, readonly ShownActivity[] | null>;
  /** Records that corrections name, by extRefId. */
  readonly corrected: ReadonlyMap<string, ShownActivity>;
  /** Of order lines that have days of their own within the order's, by their ids. */
  readonly lineDays: ReadonlyMap<number, ShownLineDays>;
  /** By order. */
  readonly coupons: ReadonlyMap<number, CouponTerms>;
  /** By order. */
  readonly pauses: ReadonlyMap<number, readonly ShownPause[]>;
  readonly paymentTerms: { readonly value: number; readonly units: string };
  readonly taxType: string;
  /** Of the table in force. */
  readonly rates: readonly ShownRate[];
  readonly usageGraceDays: number;
}
