/** What every address of SCIM has in common. */
import { scimErrorShape, scimMediaType } from '../protocol/errors.ts'

export const asScim = {
  access: 'scimToken',
  errorShape: scimErrorShape,
  errorType: scimMediaType,
  challenge: 'Bearer realm="SCIM"',
  /** Directories send bursts when many people change at once. */
  limits: [{ per: 'actor', max: 6000, windowSec: 60 }],
} as const

/** The caller is no account: the use case asks whether the organization may be written to. */
export const writes = { reachesOthers: false, whenReadOnly: 'refused' } as const
