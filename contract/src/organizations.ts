/** `/api/org`: the caller's organization. */
import { z } from 'zod'
import { IsoTime } from './text.ts'

export const PlanLimits = z.object({ members: z.int(), documentsPerMonth: z.int(), storageBytes: z.int() })
export type PlanLimits = z.infer<typeof PlanLimits>

export const Plan = z.object({ name: z.string(), trialEndsAt: IsoTime.nullable(), limits: PlanLimits })

export const Organization = z.object({
  id: z.uuid(),
  name: z.string(),
  code: z.string(),
  authProvider: z.enum(['NATIVE', 'SSO']),
  plan: Plan,
  memberCount: z.int(),
  createdAt: IsoTime,
})
export type Organization = z.infer<typeof Organization>
