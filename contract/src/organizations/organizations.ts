/** `/api/org`: the caller's organization. */
import { z } from 'zod'
import { FactorPolicy } from '../accounts/factors.ts'
import { IsoTime } from '../text.ts'

export const PlanLimits = z.object({ members: z.int(), documentsPerMonth: z.int(), storageBytes: z.int() })
export type PlanLimits = z.infer<typeof PlanLimits>

export const Plan = z.object({ name: z.string(), trialEndsAt: IsoTime.nullable(), limits: PlanLimits })

/** `members` counts open invitations too: each of them holds a seat. */
export const PlanUsage = z.object({ members: z.int(), documentsThisMonth: z.int(), storageBytes: z.int() })

export const Organization = z.object({
  id: z.uuid(),
  name: z.string(),
  code: z.string(),
  authProvider: z.enum(['NATIVE', 'SSO']),
  /** Everybody's login asks for a mailed code. */
  loginOtp: z.boolean(),
  /** Members may open shared chats to anybody with the link. */
  publicChatLinks: z.boolean(),
  /** The second factor that members need to sign in, and from when on. */
  factorPolicy: FactorPolicy,
  factorPolicyFrom: IsoTime.nullable(),
  remembersBrowsers: z.boolean(),
  plan: Plan,
  memberCount: z.int(),
  usage: PlanUsage,
  createdAt: IsoTime,
})
export type Organization = z.infer<typeof Organization>
