/**
 * The issuer of a provider's people in `user_identities` and of their sessions: of this row at this address, so that two
 * organizations with the same issuer don't meet each other's people, nor an organization those of its former issuer.
 */
import type { ProviderRow } from './queries.ts'

export const issuerOf = ({ id, settings }: Pick<ProviderRow, 'id' | 'settings'>): string =>
  `provider:${id}:${settings.issuer}`
