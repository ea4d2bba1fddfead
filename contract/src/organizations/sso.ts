/** Browser SSO and the gateway's OAuth login, as far as they speak JSON. */
import { z } from 'zod'

export const SsoConfig = z.object({
  enabled: z.boolean(),
  provider: z.string().optional(),
  loginUrl: z.string().optional(),
})

export const SsoStartQuery = z.object({ return_to: z.string().max(4000).optional() })

/** Whatever the identity provider adds; a parameter that comes twice is refused. */
export const SsoCallbackQuery = z.object({}).catchall(z.string().max(8000))

/** Posted by the identity provider; other fields are ignored. */
export const BackchannelLogoutForm = z.object({ logout_token: z.string().min(1).max(16_000) })

/** OAuth buttons for the sign-in page. */
export const OauthProviders = z.object({
  providers: z.array(z.object({ id: z.string(), name: z.string(), loginUrl: z.string() })),
})

/** The result of a full pass over the identity provider's directory. */
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

export const SyncBody = z.strictObject({ dryRun: z.boolean() })
export const SyncReportList = z.object({
  reports: z.array(SyncReport),
  /** When the directory was last looked through for changes; null before the first time. */
  checkedAt: z.iso.datetime().nullable(),
})
