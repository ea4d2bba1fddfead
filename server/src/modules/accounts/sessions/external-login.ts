/** Pure. What a provider's claims say of a login there. */

/** A session at an identity provider that one here depends on. */
export interface ExternalLogin {
  issuer: string
  sessionId: string | null
  /** How the person proved there who they are: its `amr` (RFC 8176) and `acr`. */
  proofs: readonly string[]
}

interface Claims {
  iss: string
  sid?: unknown
  amr?: unknown
  acr?: unknown
}

export const externalLoginOf = ({ iss, sid, amr, acr }: Claims): ExternalLogin => ({
  issuer: iss,
  sessionId: typeof sid === 'string' ? sid : null,
  proofs: [...(Array.isArray(amr) ? amr : []), acr].filter((proof) => typeof proof === 'string'),
})
