/** `/api/org/identity-providers`: an organization's own places to sign in. */
import { z } from 'zod'
import { pageOf } from '../lists.ts'
import { IsoTime, line } from '../text.ts'
import { DomainName } from './domains.ts'

/** The name of a claim, or a path to it with dots. Blank: none. */
const ClaimName = z.string().trim().max(200)
const ClaimValue = z.string().trim().min(1).max(255)

export const ProviderMapping = z.strictObject({
  /** Blank: roles are set here. */
  roleClaim: ClaimName.default(''),
  /** Who has one of these is an administrator, everybody else a member. */
  adminValues: z.array(ClaimValue).max(50).default([]),
  /** Blank: groups are set here. */
  groupsClaim: ClaimName.default(''),
  /** Groups that are named here follow the claim at each sign-in; others are left alone. */
  groups: z
    .array(z.strictObject({ value: ClaimValue, groupId: z.uuid() }))
    .max(200)
    .default([]),
})
export type ProviderMapping = z.infer<typeof ProviderMapping>

export const OidcProvider = z.object({
  issuer: z.string(),
  clientId: z.string(),
  /** True when a secret is stored; the secret itself never leaves. */
  hasClientSecret: z.boolean(),
  emailClaim: z.string(),
  acceptsUnmarkedEmail: z.boolean(),
})

export const OidcProviderBody = z.strictObject({
  issuer: z
    .string()
    .trim()
    .max(500)
    .regex(/^https?:\/\/[^/?#@\s]+[^?#\s]*$/i, 'must be the issuer’s address, without a query')
    .describe('What the provider calls itself, to the letter: the `iss` of its tokens.'),
  clientId: z.string().trim().min(1).max(500),
  clientSecret: z.string().max(2000).optional().describe('Blank or absent keeps the stored one.'),
  emailClaim: z.string().trim().min(1).max(200).default('email'),
  acceptsUnmarkedEmail: z
    .boolean()
    .default(false)
    .describe(
      'Takes email addresses without `email_verified`, as Entra ID sends them. One that is marked false never counts.',
    ),
})
export type OidcProviderBody = z.infer<typeof OidcProviderBody>

export const IdentityProvider = z.object({
  id: z.uuid(),
  kind: z.enum(['oidc']),
  name: z.string(),
  enabled: z.boolean(),
  domains: z.array(z.string()),
  createsPeople: z.boolean(),
  oidc: OidcProvider,
  mapping: ProviderMapping,
  /** To enter at the provider. */
  redirectUri: z.string(),
  /** Where a sign-in begins. */
  loginUrl: z.string(),
  lastLoginAt: IsoTime.nullable(),
  createdAt: IsoTime,
  updatedAt: IsoTime,
})
export type IdentityProvider = z.infer<typeof IdentityProvider>
export const IdentityProviderList = pageOf(IdentityProvider)

const Domains = z.array(DomainName).max(50)

export const IdentityProviderBody = z.strictObject({
  kind: z.enum(['oidc']),
  name: line(100),
  enabled: z.boolean().default(true),
  domains: Domains.min(1).describe('Verified domains of the organization. Only their addresses sign in there.'),
  createsPeople: z
    .boolean()
    .default(true)
    .describe('People of these domains become members when they first sign in; otherwise they need an invitation.'),
  oidc: OidcProviderBody,
  mapping: ProviderMapping.prefault({}),
})
export type IdentityProviderBody = z.infer<typeof IdentityProviderBody>

export const IdentityProviderPatch = z.strictObject({
  name: line(100).optional(),
  enabled: z.boolean().optional(),
  domains: Domains.min(1).optional(),
  createsPeople: z.boolean().optional(),
  oidc: OidcProviderBody.optional(),
  mapping: ProviderMapping.optional(),
})
export type IdentityProviderPatch = z.infer<typeof IdentityProviderPatch>

/** How far a try came, and what the provider says of itself. */
export const ProviderTest = z.object({
  ok: z.boolean(),
  steps: z.array(z.object({ step: z.enum(['discovery', 'endpoints', 'keys']), ok: z.boolean(), detail: z.string() })),
  metadata: z
    .object({
      issuer: z.string(),
      authorizationEndpoint: z.string(),
      tokenEndpoint: z.string(),
      endSessionEndpoint: z.string().nullable(),
      keyAlgorithms: z.array(z.string()),
    })
    .nullable(),
})
export type ProviderTest = z.infer<typeof ProviderTest>
