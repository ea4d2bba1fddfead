/** Pure. What a provider's claims say, and how much of it counts. They are a foreign server's. */
import { EmailAddress, PersonName } from '@chancery/contract/text.ts'
import type { OidcSettings } from './tables.ts'

type Claims = Readonly<Record<string, unknown>>

/** Far more groups than a person has. */
const mostValues = 1000

const ownValue = (of: unknown, name: string): unknown =>
  typeof of === 'object' && of !== null && Object.hasOwn(of, name) ? (of as Claims)[name] : undefined

/** By its whole name, since some providers write addresses as names; else by the path that its dots make. */
export const findClaim = (claims: Claims, name: string): unknown => {
  if (name === '') return undefined
  return ownValue(claims, name) ?? name.split('.').reduce(ownValue, claims as unknown)
}

/** Texts only. */
export const claimValues = (claims: Claims, name: string): Set<string> =>
  new Set(
    [findClaim(claims, name)]
      .flat()
      .slice(0, mostValues)
      .filter((value) => typeof value === 'string'),
  )

const google = 'https://accounts.google.com'

/**
 * The address that the provider vouches for. Only the boolean counts: a provider that sends "false" as text must not
 * pass for true. Anybody can have an account at Google for an address of the organization's; only those that the
 * organization manages have its domain in `hd`.
 */
export const vouchedAddress = (
  claims: Claims,
  { issuer, emailClaim, acceptsUnmarkedEmail }: OidcSettings,
  domains: readonly string[],
): string | undefined => {
  const email = EmailAddress.safeParse(findClaim(claims, emailClaim)).data
  if (email === undefined || !domains.includes(email.slice(email.lastIndexOf('@') + 1))) return undefined
  if (issuer === google && !(typeof claims.hd === 'string' && domains.includes(claims.hd.toLowerCase())))
    return undefined
  const isMarked = claims.email_verified
  return isMarked === true || (isMarked === undefined && acceptsUnmarkedEmail && issuer !== google) ? email : undefined
}

export const nameIn = (claims: Claims, email: string): string => {
  const parts = [claims.given_name, claims.family_name].filter((part) => typeof part === 'string')
  return PersonName.safeParse(claims.name).data ?? PersonName.safeParse(parts.join(' ')).data ?? localPart(email)
}

const localPart = (email: string): string => email.slice(0, email.lastIndexOf('@')).slice(0, 120)
