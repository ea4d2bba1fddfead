/** Why a directory could not be used, said so that an administrator can act on it. No secret, no inner address. */
import type { LdapTestResult } from '@chancery/contract/organizations/ldap.ts'
import { ResultCodeError } from 'ldapts'
import { AppError } from '#kernel/errors.ts'

export type Step = LdapTestResult['steps'][number]['step']

/** The directory itself is the problem, not the person who signs in. */
export class DirectoryFailure extends Error {
  readonly step: Step

  constructor(step: Step, sentence: string, cause?: unknown) {
    super(sentence, cause === undefined ? undefined : { cause })
    this.name = 'DirectoryFailure'
    this.step = step
  }
}

const sentences: Record<string, string> = {
  ECONNREFUSED: 'The server refuses connections at this port.',
  ECONNRESET: 'The server cut the connection.',
  EHOSTUNREACH: 'There is no way to this server.',
  ENETUNREACH: 'There is no way to this server.',
  ABORT_ERR: 'The server did not answer within 5 seconds.',
  ETIMEDOUT: 'The server did not answer within 5 seconds.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another host name.',
  CERT_HAS_EXPIRED: 'The certificate has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is signed by itself. Enter it as the CA if you trust it.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate comes from an authority that is not trusted. Enter its CA.',
  UNABLE_TO_GET_ISSUER_CERT: 'The certificate comes from an authority that is not trusted. Enter its CA.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'The certificate comes from an authority that is not trusted. Enter its CA.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate comes from an authority that is not trusted. Enter its CA.',
  CERT_SIGNATURE_FAILURE: 'The certificate was not signed by the given CA.',
}

const general: Record<Step, string> = {
  address: 'This address cannot be used.',
  connect: 'The connection could not be opened.',
  tls: 'The encrypted connection could not be established.',
  bind: 'The directory did not accept the bind.',
  search: 'The search failed.',
  groups: 'The groups could not be read.',
}

/** Turns what a step threw into a sentence about it; what was thrown stays in `cause`, for the log. */
export const asFailure = (step: Step, cause: unknown): DirectoryFailure => {
  if (cause instanceof DirectoryFailure) return cause
  if (cause instanceof AppError) return new DirectoryFailure(step, cause.message, cause)
  if (cause instanceof ResultCodeError) return new DirectoryFailure(step, resultSentence(step, cause.code), cause)
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const isLate = cause instanceof Error && /timed out|timeout/i.test(cause.message)
  return new DirectoryFailure(step, sentences[isLate ? 'ETIMEDOUT' : code] ?? general[step], cause)
}

const results: Record<number, string> = {
  10: 'The directory answered with a referral to another server; referrals are not followed.',
  13: 'The directory wants an encrypted connection: use StartTLS or ldaps.',
  32: 'There is no entry with this name.',
  34: 'The directory cannot read this name.',
  48: 'The directory allows no anonymous access: enter a bind DN and its password.',
  49: 'The directory refused the bind DN or its password.',
  50: 'The bind DN may not do this.',
}

const resultSentence = (step: Step, code: number): string => results[code] ?? `${general[step]} (result ${code})`
