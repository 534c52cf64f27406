/** The tables as their entities describe them: columns, types, nullability, defaults and keys. */
export * from './access.ts';
export * from './collection.ts';
export * from './commissions.ts';
export * from './customers.ts';
export * from './events.ts';
export * from './gateways.ts';
export * from './hosted-pages.ts';
export * from './imports.ts';
export * from './processes.ts';
export * from './invoices.ts';
export * from './metadata.ts';
export * from './orders.ts';
export * from './payments.ts';
export * from './plans.ts';
export * from './taxes.ts';
export * from './tenants.ts';
export * from './usage.ts';
