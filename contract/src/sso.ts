/** Browser SSO and the gateway's OAuth login, as far as they speak JSON. */
import { z } from 'zod'

export const SsoConfig = z.object({
  enabled: z.boolean(),
  provider: z.string().optional(),
  loginUrl: z.string().optional(),
})

/** OAuth buttons for the sign-in page. */
export const OauthProviders = z.object({
  providers: z.array(z.object({ id: z.string(), name: z.string(), loginUrl: z.string() })),
})

/** What a full pass over the identity provider's directory found. */
export const SyncReport = z.object({
  id: z.uuid(),
  organizationId: z.uuid(),
  dryRun: z.boolean(),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
  outcome: z.enum(['running', 'done', 'refused', 'failed']),
  detail: z.string(),
  added: z.int(),
  updated: z.int(),
  deactivated: z.int(),
  seen: z.int(),
})
export type SyncReport = z.infer<typeof SyncReport>
