/**
 * Adds a stored credential to a request, checked at every use: it may have been changed or deleted since publication.
 */
import type { Kernel } from '#kernel/kernel.ts'
import { type CredentialUse, NodeFailure, type SignedRequest } from '#modules/runs/index.ts'
import { type CredentialRow, dropTokenUnscoped, findCredentialUnscoped } from '../queries/credentials.ts'
import { getAccessToken } from './access-token.ts'
import { sealedAs } from './sealed-as.ts'

type Needs = Pick<Kernel, 'db' | 'sealer' | 'clock' | 'outbound'>

export const signRequest = async (
  needs: Needs,
  { scopeId, credentialId, url, signal }: CredentialUse,
): Promise<SignedRequest> => {
  const credential = await findCredentialUnscoped(needs.db, { id: credentialId, scopeId })
  if (!credential) throw refused('credential_not_found', "The credential of this node doesn't exist any more.")
  if (!credential.enabled) throw refused('credential_disabled', `The credential "${credential.name}" is switched off.`)
  if (URL.parse(url)?.origin !== credential.origin)
    throw refused(
      'credential_for_other_server',
      `The credential "${credential.name}" is for ${credential.origin} only.`,
    )
  if (credential.kind === 'oauth2') return signWithToken(needs, credential, signal)
  const secret = needs.sealer.open(credential.sealedSecret, sealedAs(credential.id))
  const [name, value] = headerOf(credential, secret)
  return { headers: { [name]: value }, secrets: [secret, value], onRefused: async () => false }
}

/** For the nodes along `error` too, by its code. */
const refused = (code: string, message: string): NodeFailure =>
  new NodeFailure(message, { canRetry: false, output: { code } })

export const headerOf = ({ kind, fields }: CredentialRow, secret: string): [string, string] => {
  if (kind === 'header') return [(fields.header ?? '').toLowerCase(), secret]
  if (kind === 'basic')
    return ['authorization', `Basic ${Buffer.from(`${fields.username}:${secret}`).toString('base64')}`]
  return ['authorization', `Bearer ${secret}`]
}

const signWithToken = async (needs: Needs, credential: CredentialRow, signal: AbortSignal): Promise<SignedRequest> => {
  const { token, sealedToken } = await getAccessToken(needs, credential, signal)
  return {
    headers: { authorization: `Bearer ${token}` },
    secrets: [token],
    onRefused: async () => {
      await dropTokenUnscoped(needs.db, credential.id, sealedToken)
      return true
    },
  }
}
