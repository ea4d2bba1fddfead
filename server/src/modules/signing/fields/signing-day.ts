/**
 * Pure. A date of the signing day is the service's own, in the signer's zone. A date that is asked for (it has a label, or
 * the sender says so) is typed.
 */
import type { FieldRules, FieldType } from '@chancery/contract/signing/signing.ts'

interface Field {
  type: FieldType
  label: string | null
  rules: Pick<FieldRules, 'signingDay'>
  filledBy: 'SENDER' | 'SIGNER' | 'SERVICE' | null
}

export const isSigningDay = ({ type, label, rules, filledBy }: Field): boolean =>
  type === 'DATE' && filledBy !== 'SENDER' && (rules.signingDay ?? label === null)

/** `YYYY-MM-DD`. */
export const dayIn = (now: Date, timeZone: string | null): string =>
  new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: timeZone ?? 'UTC' }).format(now)
