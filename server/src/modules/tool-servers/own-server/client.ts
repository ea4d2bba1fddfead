/**
 * An MCP client that registered itself. Its ID is its registration, sealed: nothing is stored, so a flood of
 * registrations costs nothing, and no node has to ask another.
 */
import { passingSeal } from '#kernel/crypto/seal-context.ts'
import { AppError } from '#kernel/errors.ts'
import { parseOwn } from '#kernel/json/parse-own.ts'
import type { Kernel } from '#kernel/kernel.ts'

export interface McpClient {
  name: string
  redirectUris: readonly string[]
}

const purpose = passingSeal('mcp-client')
/** Schemes that run code or read files in the browser that is sent there. */
const unsafeSchemes = new Set([
  'javascript:',
  'data:',
  'vbscript:',
  'file:',
  'blob:',
  'about:',
  'filesystem:',
  'ws:',
  'wss:',
])
const ownMachine = new Set(['localhost', '127.0.0.1', '[::1]'])

/** HTTPS, this machine, or the scheme of an installed application (RFC 8252). */
export const isSafeRedirect = (address: string): boolean => {
  const url = URL.parse(address)
  if (!url || url.hash !== '' || url.username !== '' || unsafeSchemes.has(url.protocol)) return false
  return url.protocol !== 'http:' || ownMachine.has(url.hostname)
}

export const registerClient = ({ sealer }: Pick<Kernel, 'sealer'>, client: McpClient): string =>
  Buffer.from(sealer.seal(JSON.stringify(client), purpose)).toString('base64url')

/** Throws `mcp_client_invalid` for an ID that we did not give, and for an address that the client did not register. */
export const openClient = (
  { sealer }: Pick<Kernel, 'sealer'>,
  { client_id: id, redirect_uri: address }: { client_id: string; redirect_uri: string },
): McpClient => {
  const client = read(sealer, id)
  if (!client?.redirectUris.some((known) => isSameRedirect(known, address))) throw new AppError('mcp_client_invalid')
  return client
}

const read = (sealer: Kernel['sealer'], id: string): McpClient | undefined => {
  try {
    return parseOwn(sealer.open(Buffer.from(id, 'base64url').toString(), purpose)) as McpClient
  } catch {
    return undefined
  }
}

/** A program on the person's machine listens on another port each time (RFC 8252, 7.3). */
const isSameRedirect = (known: string, asked: string): boolean => {
  if (known === asked) return true
  const [one, other] = [URL.parse(known), URL.parse(asked)]
  if (!one || !other || one.protocol !== 'http:' || !ownMachine.has(one.hostname)) return false
  one.port = other.port
  return one.href === other.href
}
