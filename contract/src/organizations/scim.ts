/** `/api/org/scim-tokens` and `/api/org/scim-settings`: how an organization's directory sends its people and groups. */
import { z } from 'zod'
import { pageOf } from '../lists.ts'
import { IsoTime, line } from '../text.ts'

export const ScimTokenBody = z.strictObject({
  name: line(120),
  expiresAt: IsoTime.optional().describe('In a year unless told otherwise; at most two years from now.'),
})
export const ScimToken = z.object({
  id: z.uuid(),
  name: z.string(),
  createdAt: IsoTime,
  expiresAt: IsoTime,
  lastUsedAt: IsoTime.nullable(),
})
export type ScimToken = z.infer<typeof ScimToken>
export const NewScimToken = ScimToken.extend({ token: z.string().describe('Shown only in this reply.') })
export const ScimTokenList = pageOf(ScimToken)

export const ScimSettings = z.object({
  url: z.string().describe('What the directory asks for as base URL or tenant URL.'),
  people: z.int().describe('Who is linked to the directory now.'),
  groups: z.int(),
  adminGroup: z.uuid().nullable().describe('The members of this group are administrators.'),
  held: IsoTime.nullable().describe(
    'Since then the directory wants to deactivate so many people that it needs consent.',
  ),
  allowedUntil: IsoTime.nullable().describe('Until then it may.'),
  lastRefusal: z.object({ at: IsoTime, call: z.string(), why: z.string() }).nullable(),
})
export type ScimSettings = z.infer<typeof ScimSettings>
export const ScimSettingsPatch = z.strictObject({ adminGroup: z.uuid().nullable() })
