/** Builds a patch with only the changed fields, so two admins don't overwrite each other's changes. Pure. */
import type { OrganizationDetail } from '@chancery/contract/platform/platform.ts'
import type { z } from 'zod'
import type { Fields } from '#lib/form/form.ts'
import { gigabyte } from '#lib/text/bytes.ts'

export type Detail = z.infer<typeof OrganizationDetail>

/** The form fields of an organization, as text. */
export const fieldsOfDetail = ({ plan, trialEndsAt, limits, domains }: Detail) => ({
  plan,
  trialEndsAt: trialEndsAt?.slice(0, 10) ?? '',
  members: String(limits.members),
  documentsPerMonth: String(limits.documentsPerMonth),
  storageBytes: String(Math.round((limits.storageBytes / gigabyte) * 100) / 100),
  domains: domains.join('\n'),
})

const wordsOf = (text: string) => text.split(/[\s,]+/).filter(Boolean)
/** A trial ends at the end of its last day. */
const endOf = (day: string) => (day === '' ? null : `${day}T23:59:59.000Z`)
const numberOf = (text: string) => (text.trim() === '' ? Number.NaN : Number(text))

export function organizationPatch(fields: Fields, detail: Detail, authProvider: Detail['authProvider']) {
  const before = fieldsOfDetail(detail)
  const changed = (name: keyof typeof before) => (fields[name] ?? '').trim() !== before[name]
  const text = (name: keyof typeof before) => fields[name] ?? ''
  const limits = {
    ...(changed('members') && { members: numberOf(text('members')) }),
    ...(changed('documentsPerMonth') && { documentsPerMonth: numberOf(text('documentsPerMonth')) }),
    ...(changed('storageBytes') && { storageBytes: Math.round(numberOf(text('storageBytes')) * gigabyte) }),
  }
  return {
    ...(changed('plan') && { plan: text('plan') }),
    ...(changed('trialEndsAt') && { trialEndsAt: endOf(text('trialEndsAt')) }),
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(changed('domains') && { domains: wordsOf(text('domains')) }),
    ...(authProvider !== detail.authProvider && { authProvider }),
  }
}
