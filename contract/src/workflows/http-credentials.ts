/** `/api/v1/http-credentials`: what HTTP request nodes sign in with. They belong to a scope, and nodes name them by id. */
import { z } from 'zod'
import { PageQuery } from '../lists.ts'
import { line } from '../text.ts'

export const CredentialKind = z.enum(['bearer', 'basic', 'header', 'oauth2'])
export type CredentialKind = z.infer<typeof CredentialKind>

const server = z.url({ protocol: /^https?$/ }).max(500)
const printable = /^[\x20-\x7e]+$/
const Secret = z.string().max(4000).regex(printable, 'must be printable ASCII characters, and not empty')

/** Which of these a kind needs is in `neededFields`; the others are ignored. */
const fields = {
  /** For basic authentication. */
  username: z.string().max(300).optional(),
  /** The name of the header. */
  header: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,100}$/, 'letters, digits and - only')
    .optional(),
  /** OAuth 2 client credentials. */
  token_url: server.optional(),
  client_id: z.string().min(1).max(500).optional(),
  scope: z.string().max(1000).optional(),
  audience: z.string().max(500).optional(),
}

export const neededFields = {
  bearer: [],
  basic: ['username'],
  header: ['header'],
  oauth2: ['token_url', 'client_id'],
} as const satisfies Record<CredentialKind, readonly (keyof typeof fields)[]>

export const CredentialBody = z
  .strictObject({
    name: line(120),
    description: z.string().max(2000).optional(),
    kind: CredentialKind,
    /** The only server it is sent to: scheme, host and port count. */
    url: server,
    /** Write-only: the token, the password, the header's value, or the client secret. */
    secret: Secret,
    enabled: z.boolean().optional(),
    ...fields,
  })
  .superRefine((body, context) => {
    for (const name of neededFields[body.kind])
      if (!body[name]) context.addIssue({ code: 'custom', path: [name], message: 'must not be empty' })
  })
/** The secret is kept where it is absent, unless the credential now names another server or another token URL. */
export const CredentialPatch = z.strictObject({
  name: line(120).optional(),
  description: z.string().max(2000).optional(),
  url: server.optional(),
  secret: Secret.optional(),
  enabled: z.boolean().optional(),
  ...fields,
})

export const Credential = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string(),
  kind: CredentialKind,
  url: z.string(),
  enabled: z.boolean(),
  username: z.string().optional(),
  header: z.string().optional(),
  token_url: z.string().optional(),
  client_id: z.string().optional(),
  scope: z.string().optional(),
  audience: z.string().optional(),
  created_at: z.int(),
  updated_at: z.int(),
})
export type Credential = z.infer<typeof Credential>
export const CredentialList = z.object({ items: z.array(Credential), total: z.int() })
export const CredentialListQuery = PageQuery
/** With the workflows whose draft or live version uses it, at most 100. */
export const CredentialWithUses = Credential.extend({
  used_by: z.array(z.object({ id: z.uuid(), name: z.string() })),
})
