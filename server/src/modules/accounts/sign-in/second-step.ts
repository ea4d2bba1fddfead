/** Pure. How a login has to be finished once the password was right, and whether that is enough for the organization. */
import type { FactorPolicy, SecondStep } from '@chancery/contract/accounts/factors.ts'
import type { SignInMethod } from '../tables.ts'

interface Facts {
  /** What the account has set up, the strongest first. */
  owned: readonly SecondStep[]
  /** The mailed code: the person or their organization wants it. */
  wantsEmail: boolean
  policy: FactorPolicy
}

/** None: the password is enough. An emailed code stands behind what was set up, and is all there is where nothing was. */
export const secondSteps = ({ owned, wantsEmail, policy }: Facts): SecondStep[] => {
  const isStrongOnly = policy === 'phishing_resistant' && owned.includes('passkey')
  if (isStrongOnly) return owned.filter((step) => step === 'passkey' || step === 'recovery')
  const email: SecondStep[] = wantsEmail ? ['email'] : []
  return [...owned.filter((step) => step !== 'recovery'), ...email, ...owned.filter((step) => step === 'recovery')]
}

type Asked = Exclude<FactorPolicy, 'none'>

const strong = ['passkey', 'remembered'] as const
const methodsFor: Record<Asked, ReadonlySet<SignInMethod>> = {
  any: new Set<SignInMethod>([...strong, 'totp', 'email']),
  phishing_resistant: new Set<SignInMethod>(strong),
}

/** Of `amr` (RFC 8176) and of `acr` (OpenID EAP), as providers write them. */
const strongProofs = ['hwk', 'swk', 'pop', 'fido', 'phr', 'phrh'] as const
const proofsFor: Record<Asked, ReadonlySet<string>> = {
  any: new Set<string>([...strongProofs, 'mfa', 'otp', 'sms', 'tel', 'mca', 'face', 'fpt', 'iris', 'vbm', 'sc']),
  phishing_resistant: new Set<string>(strongProofs),
}

/**
 * What a sign-in still lacks; `proofs` are those that a provider vouches for. A recovery code lets a person in to set up
 * what was lost.
 */
export const lackingFactor = (
  policy: FactorPolicy,
  method: SignInMethod,
  proofs: readonly string[] = [],
): Asked | null => {
  if (policy === 'none' || methodsFor[policy].has(method)) return null
  return proofs.some((proof) => proofsFor[policy].has(proof)) ? null : policy
}
