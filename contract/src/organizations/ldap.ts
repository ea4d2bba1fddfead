/** `/api/org/ldap`: a company's own directory. */
import { z } from 'zod'
import { MemberRole } from './team.ts'

const Dn = z.string().trim().max(1024)

export const LdapAttributes = z.strictObject({
  email: z.string().trim().min(1).max(64).default('mail'),
  name: z.string().trim().min(1).max(64).default('cn'),
  /** Stays the same when everything else about the person changes: entryUUID, objectGUID, … */
  uniqueId: z.string().trim().min(1).max(64).default('entryUUID'),
  /** The attribute that lists a person's groups; blank: search for groups that list the person. */
  memberOf: z.string().trim().max(64).default('memberOf'),
})

export const LdapSettings = z.object({
  enabled: z.boolean(),
  url: z.string(),
  startTls: z.boolean(),
  caPem: z.string(),
  bindDn: z.string(),
  /** True when a password is stored; the password itself never leaves. */
  hasBindPassword: z.boolean(),
  baseDn: z.string(),
  userFilter: z.string(),
  attributes: LdapAttributes,
  groupRoles: z.array(z.object({ dn: z.string(), role: z.enum(['ROLE_USER', 'ROLE_ORG_ADMIN']) })),
  autoProvision: z.boolean(),
})
export type LdapSettings = z.infer<typeof LdapSettings>

export const LdapSettingsBody = z.strictObject({
  enabled: z.boolean().default(true),
  url: z
    .string()
    .trim()
    .max(512)
    .regex(/^ldaps?:\/\/[^/?#@\s]+\/?$/i, 'must be ldap://host:port or ldaps://host:port'),
  startTls: z.boolean().default(false),
  caPem: z.string().max(65_536).default(''),
  bindDn: Dn.default(''),
  /** Blank or absent keeps the stored one. */
  bindPassword: z.string().max(1024).optional(),
  baseDn: Dn.min(1),
  userFilter: z
    .string()
    .trim()
    .max(1024)
    .refine((filter) => filter.includes('{login}'), 'must hold {login}')
    .default('(mail={login})'),
  attributes: LdapAttributes.prefault({}),
  groupRoles: z
    .array(z.strictObject({ dn: Dn.min(1), role: MemberRole }))
    .max(100)
    .default([]),
  autoProvision: z.boolean().default(false),
})
export type LdapSettingsBody = z.infer<typeof LdapSettingsBody>

/** Settings to try before they are saved; without a body the saved ones are tried. */
export const LdapTestBody = z.strictObject({
  settings: LdapSettingsBody.optional(),
  login: z.string().max(320).optional(),
})

export const LdapTestStep = z.object({
  step: z.enum(['address', 'connect', 'tls', 'bind', 'search', 'groups']),
  ok: z.boolean(),
  detail: z.string(),
})
export const LdapTestResult = z.object({ ok: z.boolean(), steps: z.array(LdapTestStep) })
export type LdapTestResult = z.infer<typeof LdapTestResult>
