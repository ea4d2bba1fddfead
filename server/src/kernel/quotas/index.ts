/** Quotas: what one tenant may take of what all share. */
export { type AmountQuota, type AtOnceQuota, type QuotaSubject, type RateQuota } from './quota.ts'
export type { QuotaChanges, QuotaUse } from './reports.ts'
export { createQuotas, type Quotas, type Taking } from './quotas.ts'
export { subjectOf } from './subject-of.ts'
