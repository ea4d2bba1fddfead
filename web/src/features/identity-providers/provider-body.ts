/** Converts between the form of an identity provider and the request body. Pure. */
import type { IdentityProvider } from '@chancery/contract/organizations/identity-providers.ts'
import type { Fields } from '#lib/form/form.ts'

/** The values of the form besides its text fields. */
export interface Choices {
  isEnabled: boolean
  createsPeople: boolean
  acceptsUnmarkedEmail: boolean
  domains: readonly string[]
  groups: readonly { value: string; groupId: string }[]
}

export const choicesOf = (current: IdentityProvider | undefined, domains: readonly string[]): Choices => ({
  isEnabled: current?.enabled ?? true,
  createsPeople: current?.createsPeople ?? true,
  acceptsUnmarkedEmail: current?.oidc.acceptsUnmarkedEmail ?? false,
  // One that is no longer verified can't be saved again.
  domains: domains.filter((domain) => current?.domains.includes(domain) ?? true),
  groups: current?.mapping.groups ?? [],
})

const listOf = (text = ''): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** A blank secret isn't sent, which keeps the stored one; rows that name nothing are skipped. */
export const providerBody = (fields: Fields, choices: Choices) => ({
  name: fields.name ?? '',
  enabled: choices.isEnabled,
  domains: [...choices.domains],
  createsPeople: choices.createsPeople,
  oidc: {
    issuer: fields.issuer ?? '',
    clientId: fields.clientId ?? '',
    ...(fields.clientSecret !== undefined && fields.clientSecret !== '' && { clientSecret: fields.clientSecret }),
    emailClaim: fields.emailClaim ?? 'email',
    acceptsUnmarkedEmail: choices.acceptsUnmarkedEmail,
  },
  mapping: {
    roleClaim: fields.roleClaim ?? '',
    adminValues: listOf(fields.adminValues),
    groupsClaim: fields.groupsClaim ?? '',
    groups: choices.groups.filter(({ value, groupId }) => value.trim() !== '' && groupId !== ''),
  },
})
