/** `/api/auth/factors`, `/api/auth/passkeys`, `/api/auth/prove`, and the same of platform admins: what proves who one is. */
import { z } from 'zod'
import { IsoTime, line, OfferedPassword } from '../text.ts'

/** How a second step can be answered. The emailed code is the only one without anything to set up. */
export const SecondStep = z.enum(['passkey', 'totp', 'email', 'recovery'])
export type SecondStep = z.infer<typeof SecondStep>

/** What an organization, or the platform, asks of those who sign in. */
export const FactorPolicy = z.enum(['none', 'any', 'phishing_resistant'])
export type FactorPolicy = z.infer<typeof FactorPolicy>

export const Factor = z.object({
  id: z.string(),
  kind: z.enum(['totp', 'passkey', 'email']),
  name: z.string(),
  createdAt: IsoTime,
  lastUsedAt: IsoTime.nullable(),
})
export type Factor = z.infer<typeof Factor>

export const FactorList = z.object({
  factors: z.array(Factor),
  recoveryCodesLeft: z.int(),
  /** Browsers that aren't asked for a second step at present. */
  rememberedBrowsers: z.int(),
  /** What is asked of this account now. */
  policy: FactorPolicy,
  /** This session may do nothing else until one of them has been added or shown. */
  isNeeded: z.boolean(),
  /** Passkeys belong to a domain: an instance that is reached by a bare IP address can't have them. */
  canHavePasskeys: z.boolean(),
})
export type FactorList = z.infer<typeof FactorList>

/** Shown once. A person's first factor brings them; afterwards the list is empty. */
export const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })

export const NewTotp = z.object({
  id: z.uuid(),
  /** For apps that can't read the picture: base32. */
  secret: z.string(),
  otpauthUrl: z.string(),
})
export const ConfirmTotpBody = z.strictObject({ code: z.string().max(32) })

const FactorName = line(80)
export const FactorPatch = z.strictObject({ name: FactorName })

/** As WebAuthn Level 3 has it in JSON, from or for the browser. */
export const PasskeyOptions = z.looseObject({ challenge: z.string() })
export const PasskeyAnswer = z.looseObject({
  id: z.string().max(2048),
  rawId: z.string().max(2048),
  type: z.literal('public-key'),
  response: z.looseObject({ clientDataJSON: z.string().max(16_384) }),
})
export type PasskeyAnswer = z.infer<typeof PasskeyAnswer>

export const NewPasskeyBody = z.strictObject({ name: FactorName, response: PasskeyAnswer })
export const NewPasskey = Factor.extend(RecoveryCodes.shape)
export const PasskeySignInBody = z.strictObject({ response: PasskeyAnswer })
export const ChallengeBody = z.strictObject({ challengeId: z.uuid() })

/** The answer of a passkey; or a code and of what it is; or, where the account has no second factor, the password. */
export const ProveBody = z
  .strictObject({
    password: OfferedPassword.optional(),
    otp: z.string().max(32).optional(),
    method: z.enum(['totp', 'recovery']).optional().describe('Of the code; an app’s unless told.'),
    response: PasskeyAnswer.optional(),
  })
  .refine(({ password, otp, response }) => (password ?? otp ?? response) !== undefined, {
    path: ['password'],
    message: 'is required',
  })
export type ProveBody = z.infer<typeof ProveBody>
export const Proven = z.object({ provedUntil: IsoTime })
