/** Documents for the second calculator, from as few words as an example has. */
import type {
  CouponTerms,
  Shown,
  ShownActivity,
  ShownCharge,
  ShownInvoice,
  ShownOrder,
  ShownPlan,
  ShownPlanCharge,
} from '../../../domain/recompute/documents.ts';

const CURRENCY = 'USD';

type Of<T> = { readonly [Key in keyof T]?: T[Key] };

/** `{ priceCode: 'FEE', price: '29.95' }`; monthly, in advance and prorated unless it says otherwise. */
export interface PlanCharge extends Of<ShownPlanCharge> {
  readonly priceCode: string;
  readonly price?: string;
  readonly percent?: string;
  /** `[upper bound, price]`, the last one open. */
  readonly tiers?: readonly (readonly [string | null, string])[];
}

export interface World {
  readonly charges: readonly PlanCharge[];
  readonly plan?: Of<ShownPlan>;
  /** The first has the id 100, the next 200, and so on; each takes all charges of the plan. */
  readonly orders?: readonly (Of<ShownOrder> & { readonly quantity?: string })[];
  readonly coupon?: Of<CouponTerms>;
  readonly invoices: readonly Invoice[];
  readonly activities?: readonly (Of<ShownActivity> & { readonly priceCode: string })[];
  readonly shown?: Of<Shown>;
}

export interface Invoice extends Of<ShownInvoice> {
  readonly on: string;
  /** By order: `FEE 2027-01-15 2027-02-14 29.95`, with a unitPrice before the amount if need be. */
  readonly of: Readonly<Record<number, readonly string[]>>;
}

export function shownOf(world: World): Shown {
  const plan = planOf(world);
  const orders = (world.orders ?? [{}]).map((order, index) => orderOf(plan, order, index));
  let balance = 0;
  const sample = world.invoices.map((invoice, index) => {
    const made = invoiceOf({ world, plan, orders }, invoice, index);
    const totalDue = balance + Number(made.currentAmountDue);
    const previousBalance = balance.toFixed(2);
    balance = totalDue;
    return { ...made, previousBalance, totalDue: totalDue.toFixed(2), ...invoice };
  });
  const activities = (world.activities ?? []).map((each, index): ShownActivity => ({
    id: 900 + index,
    extRefId: `R${index + 1}`,
    orderLineItemId: 101 + plan.charges.findIndex(({ priceCode }) => priceCode === each.priceCode),
    quantity: '1',
    amount: null,
    unitPrice: null,
    chargeDate: '2027-01-20',
    correctsExtRefId: null,
    invoiceNumber: '1001',
    isAmountSupplied: each.amount !== undefined,
    correctsBilled: each.correctsExtRefId !== undefined,
    ...each,
  }));
  const coupon = { code: 'LESS', percent: null, amount: null, isOnce: false, periods: null };
  return {
    sample,
    isWhole: true,
    others: [],
    orders: new Map(
      orders.map((order) => [
        order.id,
        {
          ...order,
          invoiceIds: sample
            .filter(({ lines }) => lines.some((line) => line.subscriptionOrderId === order.id))
            .map(({ id }) => id),
        },
      ]),
    ),
    plans: new Map([[plan.id, plan]]),
    customers: new Map(),
    activities: Map.groupBy(activities, ({ invoiceNumber }) => invoiceNumber ?? ''),
    corrected: new Map(activities.map((each) => [each.extRefId ?? '', each])),
    lineDays: new Map(),
    coupons: new Map(
      world.coupon ? orders.map(({ id }) => [id, { ...coupon, ...world.coupon }]) : [],
    ),
    pauses: new Map(),
    paymentTerms: { value: 30, units: 'Days' },
    taxType: 'table',
    rates: [],
    usageGraceDays: 0,
    ...world.shown,
  };
}

function planOf({ charges, plan }: World) {
  return {
    id: 1,
    billingPeriod: 'Monthly',
    billingAlignment: 'StartDate',
    alignmentDay: null,
    dueDateValue: null,
    dueDateUnits: null,
    ...plan,
    charges: charges.map(({ price, percent, tiers, ...charge }, index) => {
      const bounds = tiers ?? [[null, price ?? null] as const];
      return {
        id: 11 + index,
        chargeType: 'RecurringCharge',
        pricingType: 'FixedPricing',
        isPrepaid: true,
        isProrated: true,
        isPenalty: false,
        isTax: false,
        isSeparateInvoice: false,
        standardQuantity: charge.chargeType === 'UsageCharge' ? '0' : '1',
        taxCodes: [],
        pricingTiers: bounds.map(([unitsTo, each], tier) => ({
          id: 1_000 * (index + 1) + tier,
          unitsFrom: '0',
          unitsTo,
          price: each,
          percent: percent ?? null,
          currency: CURRENCY,
        })),
        ...charge,
      };
    }),
  };
}

type Plan = ReturnType<typeof planOf>;

function orderOf(
  plan: Plan,
  { quantity = '1', ...order }: Of<ShownOrder> & { readonly quantity?: string },
  index: number,
): ShownOrder {
  const id = 100 * (index + 1);
  return {
    id,
    orderNumber: String(1_001 + index),
    orderStatus: 'Active',
    trialEndDate: null,
    startDate: '2027-01-15',
    endDate: null,
    customerId: 7,
    currency: CURRENCY,
    contractOfferingId: 1,
    separateInvoice: 0,
    jobCode: null,
    couponCode: null,
    isAutoRenew: true,
    dueDateValue: null,
    dueDateUnits: null,
    previousOrderId: null,
    nextOrderId: null,
    invoiceIds: [],
    lines: plan.charges.map((charge, at) => ({
      id: id + at + 1,
      contractChargeId: charge.id,
      priceCode: charge.priceCode,
      quantity: charge.chargeType === 'RecurringCharge' && !charge.isTax ? quantity : '1',
      unitPrice: null,
      isActive: true,
    })),
    ...order,
  };
}

interface Made {
  readonly world: World;
  readonly plan: Plan;
  readonly orders: readonly ShownOrder[];
}

function invoiceOf(
  { world, plan, orders }: Made,
  { on, of }: Invoice,
  index: number,
): ShownInvoice {
  const lines = Object.entries(of).map(([orderId, texts], at) => {
    const order = orders.find(({ id }) => id === Number(orderId));
    const charges = texts.map((text, position) =>
      chargeOf(text, {
        world,
        plan,
        order,
        id: 10_000 * (index + 1) + 100 * at + position,
        position,
      }),
    );
    const days = charges.map(({ billingStartDate, billingEndDate }) => [
      billingStartDate,
      billingEndDate,
    ]);
    const sum = charges.reduce(
      (all, each) => all + (each.isUsageChargeSubTotal ? 0 : Number(each.amount)),
      0,
    );
    return {
      position: at + 1,
      subscriptionOrderId: Number(orderId),
      billingStartDate: days.flatMap(([from]) => from ?? []).toSorted()[0] ?? null,
      billingEndDate:
        days
          .flatMap(([, to]) => to ?? [])
          .toSorted()
          .at(-1) ?? null,
      lineAmountTotal: sum.toFixed(2),
      charges,
    };
  });
  const total = lines.reduce((all, { lineAmountTotal }) => all + Number(lineAmountTotal), 0);
  const due = new Date(`${on}T00:00:00Z`);
  due.setUTCDate(due.getUTCDate() + 30);
  return {
    id: 5_000 + index,
    invoiceNumber: String(1_001 + index),
    status: 'Outstanding',
    invoiceDate: on,
    dueDate: due.toISOString().slice(0, 10),
    billingStartDate: lines.flatMap((line) => line.billingStartDate ?? []).toSorted()[0] ?? null,
    billingEndDate:
      lines
        .flatMap((line) => line.billingEndDate ?? [])
        .toSorted()
        .at(-1) ?? null,
    customerId: 7,
    currency: CURRENCY,
    previousBalance: '0.00',
    paymentsAndAdjustments: '0.00',
    currentAmountDue: total.toFixed(2),
    totalDue: total.toFixed(2),
    creditNoteOfId: null,
    lines,
  };
}

interface In {
  readonly world: World;
  readonly plan: Plan;
  readonly order: ShownOrder | undefined;
  readonly id: number;
  readonly position: number;
}

/**
 * `FEE from to amount`; `FEE.2` is its second tier, `FEE=` the subtotal of usage, `FEE~` a credit or
 * correction, `DISCOUNT(FEE)` and `DISCOUNT(FEE)~` a discount of it and what is given back of one,
 * `TAX(name)` a tax by that rate; `10%` before the amount is a percentage.
 */
function chargeOf(text: string, { world, plan, order, id, position }: In): ShownCharge {
  const [name = '', ...words] = text.split(' ');
  const days = words.filter((word) => /^\d{4}-/.test(word));
  const percent = words.find((word) => word.endsWith('%'))?.slice(0, -1);
  const amount = words.at(-1) ?? '';
  const [, code = '', inner, tier = '1', mark] =
    /^([A-Z]+)(?:\(([^)]+)\))?(?:\.(\d))?([=~])?$/.exec(name) ?? [];
  const of = plan.charges.find(({ priceCode }) => priceCode === (inner ?? code));
  const corrected = world.activities?.find(({ correctsExtRefId: ref }) => ref);
  const isOwn = code !== 'DISCOUNT' && code !== 'TAX';
  const isCredit = mark === '~' && of?.chargeType !== 'UsageCharge';
  const names = isOwn && !isCredit ? of : undefined;
  const pricing = names?.pricingTiers[Number(tier) - 1];
  const isBare = mark !== undefined || !names;
  return {
    id,
    position: position + 1,
    priceCode: code,
    contractChargeId: names?.id ?? null,
    orderLineItemId:
      code === 'TAX'
        ? null
        : (order?.lines.find((line) => line.priceCode === of?.priceCode)?.id ?? null),
    pricingTierId: isBare ? null : (pricing?.id ?? null),
    isPercent: percent !== undefined,
    isUsageChargeSubTotal: mark === '=',
    billingStartDate: days[0] ?? null,
    billingEndDate: days[1] ?? null,
    unitPrice: percent ?? (isBare ? null : (pricing?.price ?? null)),
    quantity: mark === '~' ? (corrected?.quantity ?? '-1') : null,
    amount,
    invoiceText: code === 'TAX' ? (inner ?? null) : null,
  };
}
