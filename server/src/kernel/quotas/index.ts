/** Quotas: what one tenant may take of what all share. */
export type { AmountQuota, AtOnceQuota, QuotaSubject, RateQuota } from './quota.ts'
export { createQuotas, type Quotas, type Taking } from './quotas.ts'
export type { QuotaChanges, QuotaUse } from './reports.ts'
