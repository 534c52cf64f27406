/** Hosted pages: sign-ups, self-service, their forms and cards. */
import { defineEntity, p } from '@mikro-orm/postgresql';
import type { EditOrderOption } from '../../domain/self-service/switches.ts';
import type { DebitKind } from '../../domain/payments/debits.ts';
import type { DisplayAmount, SignupStatus, TryStatus } from '../../domain/signups/signup.ts';
import type { AutopayPreference, StorableMethodType } from '../../domain/payments/allocation.ts';
import { ids, money, ofTenant, quantity, tenanted, texts } from './columns.ts';

/** What a session of self-service shows and allows; a profile gives it. */
const switches = () => ({
  showNavigationBar: p.boolean(),
  showStatements: p.boolean(),
  showPayments: p.boolean(),
  allowPayments: p.boolean(),
  allowProfileEdit: p.boolean(),
  editOrderOptions: texts().$type<readonly EditOrderOption[]>(),
  pdfMode: p.boolean(),
});

export const AllowedOrigin = defineEntity({
  name: 'AllowedOrigin',
  tableName: 'allowed_origin',
  properties: {
    ...ofTenant,
    origin: p.text().primary(),
  },
});

export const SelfServiceProfile = defineEntity({
  name: 'SelfServiceProfile',
  tableName: 'self_service_profile',
  properties: {
    ...ofTenant,
    profileId: p.text().primary(),
    ...switches(),
  },
});

export const Signup = defineEntity({
  name: 'Signup',
  tableName: 'signup',
  uniques: [{ properties: ['tenantId', 'tracking'] }, { properties: ['tenantId', 'tokenHash'] }],
  properties: {
    ...tenanted,
    tracking: p.text(),
    tokenHash: p.blob(),
    status: p.text().$type<SignupStatus>(),
    successUrl: p.text(),
    failUrl: p.text(),
    cssUrl: p.text(),
    hideCustomerFields: p.boolean(),
    hideOrderFields: p.boolean(),
    displayAmount: p.text().$type<DisplayAmount>(),
    tosLink: p.text().nullable(),
    sku: p.text().nullable(),
    billerCode: p.text().nullable(),
    profileId: p.text().nullable(),
    linkHasPassword: p.boolean(),
    extCustomerRef: p.text().nullable(),
    companyName: p.text().nullable(),
    firstName: p.text().nullable(),
    lastName: p.text().nullable(),
    email: p.text().nullable(),
    phone: p.text().nullable(),
    street: p.text().nullable(),
    city: p.text().nullable(),
    state: p.text().nullable(),
    zipcode: p.text().nullable(),
    country: p.text().nullable(),
    login: p.text().nullable(),
    passwordHash: p.text().nullable(),
    contractCode: p.text().nullable(),
    quantity: quantity(),
    startDate: p.date().nullable(),
    couponCode: p.text().nullable(),
    hasDetails: p.boolean(),
    tosAccepted: p.boolean().default(false),
    savePaymentMethod: p.boolean().default(false),
    locale: p.text().nullable(),
    cardType: p.text().nullable(),
    expiry: p.date().nullable(),
    cardholderName: p.text().nullable(),
    customerId: p.bigint('number').nullable(),
    isNewCustomer: p.boolean().nullable(),
    orderId: p.bigint('number').nullable(),
    invoiceIds: ids().defaultRaw("'{}'"),
    failureCode: p.text().nullable(),
    cancelReason: p.text().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    expiresAt: p.datetime(),
    endedAt: p.datetime().nullable(),
    version: p.integer().default(1),
    isUnproven: p.boolean().default(false),
  },
});

export const SignupTry = defineEntity({
  name: 'SignupTry',
  tableName: 'signup_try',
  uniques: [{ properties: ['tenantId', 'signupId', 'number'] }],
  properties: {
    ...tenanted,
    signupId: p.bigint('number'),
    number: p.integer(),
    status: p.text().$type<TryStatus>(),
    network: p.text(),
    shownAmount: money(),
    gateway: p.text().nullable(),
    methodType: p.text().nullable(),
    token: p.text().nullable(),
    brand: p.text().nullable(),
    lastFour: p.text().nullable(),
    expiry: p.date().nullable(),
    paymentId: p.bigint('number').nullable(),
    code: p.text().nullable(),
    field: p.text().nullable(),
    createdAt: p.datetime(),
    endedAt: p.datetime().nullable(),
    quoteHash: p.text().nullable(),
    startDate: p.date().nullable(),
    confirmAskedAt: p.datetime().nullable(),
    confirmUntil: p.datetime().nullable(),
    confirmHash: p.blob().nullable(),
    confirmedAt: p.datetime().nullable(),
    taxBasis: p.text().nullable(),
    debit: p.text().$type<DebitKind>().nullable(),
    country: p.text().nullable(),
    mandate: p.text().nullable(),
    /** Sealed: where its page is, to which a payer comes back. */
    returnSealed: p.text().nullable(),
    /** The gateway's id of the validation that asks for the payer, and until when it waits. */
    validationId: p.text().nullable(),
    asksUntil: p.datetime().nullable(),
  },
});

export const UsedForm = defineEntity({
  name: 'UsedForm',
  tableName: 'used_form',
  properties: {
    ...ofTenant,
    key: p.text().primary(),
    usedAt: p.datetime(),
    invoiceIds: ids().defaultRaw("'{}'"),
  },
});

export const CardDecline = defineEntity({
  name: 'CardDecline',
  tableName: 'card_decline',
  properties: {
    ...tenanted,
    network: p.text(),
    customerId: p.bigint('number').nullable(),
    declinedAt: p.datetime(),
    invoiceId: p.bigint('number').nullable(),
  },
});

export const SelfServiceSession = defineEntity({
  name: 'SelfServiceSession',
  tableName: 'self_service_session',
  uniques: [{ properties: ['tenantId', 'tokenHash'] }],
  properties: {
    ...tenanted,
    tokenHash: p.blob(),
    customerId: p.bigint('number'),
    cssUrl: p.text(),
    loginUrl: p.text(),
    ...switches(),
    startedAt: p.datetime(),
    expiresAt: p.datetime(),
    endedAt: p.datetime().nullable(),
    declines: p.integer().default(0),
  },
});

export const SelfServicePayment = defineEntity({
  name: 'SelfServicePayment',
  tableName: 'self_service_payment',
  uniques: [{ properties: ['tenantId', 'formKey'] }],
  properties: {
    ...ofTenant,
    paymentId: p.bigint('number').primary(),
    sessionId: p.bigint('number').nullable(),
    formKey: p.text(),
    network: p.text(),
    shownAmount: money(),
    createdAt: p.datetime(),
    invoiceId: p.bigint('number').nullable(),
  },
});

export const PayLink = defineEntity({
  name: 'PayLink',
  tableName: 'pay_link',
  uniques: [{ properties: ['tenantId', 'tokenHash'] }],
  properties: {
    ...tenanted,
    tokenHash: p.blob(),
    invoiceId: p.bigint('number'),
    expiresAt: p.datetime(),
  },
});

/** A card that the gateway asks its payer to authenticate before it is on file. */
export const AskedCard = defineEntity({
  name: 'AskedCard',
  tableName: 'asked_card',
  properties: {
    ...ofTenant,
    formKey: p.text().primary(),
    sessionId: p.bigint('number'),
    preference: p.smallint().$type<AutopayPreference>(),
    type: p.text().$type<StorableMethodType>(),
    gateway: p.text().$type<'sandbox' | 'stripe'>(),
    token: p.text(),
    brand: p.text().nullable(),
    lastFour: p.text().nullable(),
    expiry: p.date().nullable(),
    validationId: p.text(),
    asksUntil: p.datetime(),
    outcome: p.text().$type<'filed' | 'declined'>().nullable(),
  },
});

export const PasswordReset = defineEntity({
  name: 'PasswordReset',
  tableName: 'password_reset',
  uniques: [{ properties: ['tenantId', 'tokenHash'] }],
  properties: {
    ...tenanted,
    customerId: p.bigint('number'),
    contactId: p.bigint('number'),
    tokenHash: p.blob().nullable(),
    requestedAt: p.datetime(),
    expiresAt: p.datetime().nullable(),
    usedAt: p.datetime().nullable(),
  },
});
