/** The ways to answer who one is: a second step's methods, or the password where an account has nothing else. Pure. */
import type { FactorList, SecondStep } from '@chancery/contract/accounts/factors.ts'

export type Way = SecondStep | 'password'

/** How each is offered. */
export const wayLabels: Record<Way, string> = {
  passkey: 'Use a passkey',
  totp: 'Use your authenticator app',
  email: 'Get a code by email',
  recovery: 'Use a recovery code',
  password: 'Use your password',
}

/** What can be shown again, the best first. Recovery codes stand behind something that can be lost. */
export function proofWays(
  { factors, recoveryCodesLeft }: Pick<FactorList, 'factors' | 'recoveryCodesLeft'>,
  canUsePasskeys: boolean,
): Way[] {
  const has = (kind: string) => factors.some((factor) => factor.kind === kind)
  if (!has('passkey') && !has('totp')) return ['password']
  return [
    ...(has('passkey') && canUsePasskeys ? (['passkey'] as const) : []),
    ...(has('totp') ? (['totp'] as const) : []),
    ...(recoveryCodesLeft > 0 ? (['recovery'] as const) : []),
  ]
}

/** A passkey can't be used by every browser; if it is all there is, its button says so. */
export function usableWays(methods: readonly SecondStep[], canUsePasskeys: boolean): SecondStep[] {
  const usable = methods.filter((method) => method !== 'passkey' || canUsePasskeys)
  return usable.length > 0 ? usable : [...methods]
}
