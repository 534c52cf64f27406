/**
 * The words that people type for a page, in the language of other systems too: the one place of the
 * search's synonyms. Those of a section lead to the section.
 */
export const typedWords: Readonly<Record<string, string>> = {
  '/docs/guides/first-order':
    'quickstart quick start getting started hello world tutorial begin first create subscription subscribe signup new subscriber',
  '/docs/guides/own-tenant':
    'tenant own account setup set up configure configuration new company workspace site environment yaml apply multi-tenant multitenancy',
  '/docs/guides/documents':
    'xml json format encoding content type namespace date decimal boolean utf-8 xsd schema',
  '/docs/guides/paging-and-windows':
    'pagination paging page cursor offset limit list filter search query export csv download',
  '/docs/guides/paging-and-windows#metadata': 'metadata custom fields custom field tags attributes',
  '/docs/guides/paging-and-windows#everything-in-a-file': 'csv export spreadsheet excel dump',
  '/docs/guides/idempotency':
    'idempotency idempotent retry timeout duplicate double twice etag concurrency lost update',
  '/docs/guides/users-and-rights':
    'api key keys token authentication authorization auth login password role permission permissions user rbac access 401 403',
  '/docs/guides/users-and-rights#last-day-networks-requests':
    'rate limit throttle throttling 429 ip allowlist whitelist',
  '/docs/guides/users-and-rights#who-did-what': 'audit log audit trail history who changed',
  '/docs/guides/test-clocks': 'test clock time machine time travel simulate clock fast forward',
  '/docs/guides/sandbox':
    'sandbox test card test cards test mode testing 4242 4111111111111111 card number',
  '/docs/guides/coming-from':
    'stripe chargebee lago kill bill killbill zuora recurly migrate from vocabulary glossary terms terminology object',
  '/docs/guides/compared':
    'comparison compare compared alternative alternatives versus vs competitor feature features limitations limits missing not supported roadmap',
  '/docs/guides/plans':
    'plan plans product products catalog catalogue price list pricing model rate plan tier tiers tiered volume package per unit flat fee charge add-on addon setup fee one-time',
  '/docs/guides/prices':
    'price prices pricing rounding proration percent calculation amount decimal currency',
  '/docs/guides/trials': 'trial trials free trial free period free days trialing',
  '/docs/guides/seats': 'seat seats license licenses quantity per user users base fee minimum',
  '/docs/guides/coupons':
    'coupon coupons discount discounts promo promotion promotion code promo code voucher percent off redemption',
  '/docs/guides/quotes':
    'quote quotes estimate preview proposal upcoming invoice next invoice price check simulate',
  '/docs/guides/quotes#preview-the-next-invoices': 'upcoming invoice next invoice preview forecast',
  '/docs/guides/price-changes':
    'price increase price change raise prices grandfather grandfathering new version old price',
  '/docs/guides/signups':
    'signup sign-up sign up checkout hosted page payment page iframe embed widget registration pricing page',
  '/docs/guides/self-service':
    'self-service portal customer portal billing portal self service my account widget login',
  '/docs/guides/customers':
    'customer customers account accounts contact contacts address bill to buyer vat id delete suspend',
  '/docs/guides/orders':
    'order orders subscription subscriptions status states lifecycle active contract term renewal renew auto-renew start date future billing date billing cycle anchor',
  '/docs/guides/changes':
    'upgrade downgrade change plan switch swap proration prorate prorated mid-cycle amendment update subscription schedule scheduled',
  '/docs/guides/changes#credits-for-unused-days': 'proration credit unused time',
  '/docs/guides/ending':
    'cancel cancel subscription cancellation end terminate termination unsubscribe stop churn expire reactivate resume undo',
  '/docs/guides/ending#pause-it': 'pause paused suspend freeze hold resume',
  '/docs/guides/usage':
    'usage metered metering meter meters usage-based billable metric consumption overage record records activity activities included units allowance event ingest',
  '/docs/guides/notifications':
    'mail mails email emails e-mail notification notifications template templates smtp reminder receipt bounce',
  '/docs/guides/personal-data':
    'gdpr privacy erase erasure delete personal data right to be forgotten anonymize anonymise data subject',
  '/docs/guides/payments':
    'payment payments pay charge credit card check cash bank transfer prepayment balance wallet allocate apply',
  '/docs/guides/payments#payment-methods-on-file-and-autopay':
    'payment method payment methods autopay card on file default payment method auto charge automatic backup',
  '/docs/guides/payments#returned-debits-and-disputes':
    'chargeback chargebacks dispute disputes disputed returned bounced',
  '/docs/guides/cards':
    '3ds 3d secure 3-d secure 3d sca strong customer authentication authenticate challenge psd2 card cards',
  '/docs/guides/direct-debit':
    'sepa ach direct debit mandate iban bank account bacs lastschrift debit pre-notification',
  '/docs/guides/stripe':
    'stripe gateway payment gateway processor pci go live live mode keys payment intent secret key',
  '/docs/guides/payment-plans':
    'installment installments instalment payment plan smart retries retry schedule pay later',
  '/docs/guides/dunning':
    'dunning overdue past due late collection collections failed payment retry retries reminder delinquent unpaid penalty late fee',
  '/docs/guides/pay-links':
    'pay link payment link hosted invoice pay page link qr guest pay online',
  '/docs/guides/invoicing':
    'invoice invoices bill billing run generate invoice due date net 30 payment terms number numbering void cancel invoice status open separate consolidated',
  '/docs/invoices':
    'pdf html ubl e-invoice einvoice electronic peppol xrechnung factur-x logo template document print download',
  '/docs/guides/give-money-back':
    'refund refunds refunded credit note credit notes credit memo money back reverse goodwill credit partial',
  '/docs/guides/tax':
    'tax taxes vat gst sales tax avalara avatax tax rate exempt reverse charge tax id address validation zip',
  '/docs/guides/ledger':
    'ledger journal double entry debit credit accounts receivable bookkeeping general ledger',
  '/docs/guides/close-month': 'close month month end closing period end reconcile reconciliation',
  '/docs/guides/close-month#4-recognize-revenue':
    'revenue recognition rev rec revrec deferred revenue asc 606 ifrs 15',
  '/docs/guides/reports':
    'report reports mrr arr churn analytics metrics dashboard aged receivables aging ageing ar revenue kpi monthly recurring revenue',
  '/docs/guides/accounting':
    'accounting accountant erp quickbooks xero netsuite datev sap chart of accounts gl code export booking',
  '/docs/guides/commissions':
    'commission commissions sales agent agents reseller affiliate partner referral',
  '/docs/guides/events': 'event events feed stream polling event types changes',
  '/docs/guides/callbacks':
    'webhook webhooks callback callbacks signature hmac endpoint notification url retry standard webhooks',
  '/docs/guides/imports':
    'import imports migration migrate csv bulk upload load data batch opening balance historical invoices',
  '/docs/guides/moving-in':
    'migrate migration move subscriptions existing customers switch running subscriptions billed through backdate',
  '/docs/guides/clients':
    'sdk sdks client library libraries typescript python java jaxb c# csharp dotnet node npm pip',
  '/docs/errors':
    'error errors error code codes status code 400 404 409 412 429 500 503 fault problem',
  '/docs/tenant-file':
    'tenant file settings yaml configuration reference options plan file timezone currency dunning thresholds retention',
  '/docs/operations':
    'operations operate operator runbook temporal backup monitoring health stuck logs troubleshoot',
  '/docs/containers':
    'docker container containers compose kubernetes k8s helm deploy deployment install image production self-host self-hosted',
  '/docs/held-customers': 'held hold customer blocked stuck release crashed',
  '/docs/tax-provider': 'avatax outage down unavailable held',
  '/docs/support':
    'support policy supported versions compatibility compatible breaking change deprecated deprecation sunset end of life eol lts semver',
  '/docs/changelog':
    'changelog release releases version versions changes news whats new upgrade notes',
};
