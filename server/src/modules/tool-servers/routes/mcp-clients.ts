/** For MCP clients: find out where to sign in, register, get a key (OAuth 2.1, RFC 8414, 9728, 7591). */
import * as endpoints from '@chancery/contract/endpoints/tool-servers.ts'
import type { RawReply } from '#kernel/http/replies/raw-reply.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { ToolServersContext } from '../context.ts'
import { accessSec, renewAccess } from '../own-server/access-tokens.ts'
import { isSafeRedirect, openClient, registerClient } from '../own-server/client.ts'
import { grantAccess, mcpPath, redeemCode } from '../own-server/grant-access.ts'

const perAddress = [{ per: 'address', max: 300, windowSec: 900 }] as const
const perActor = [{ per: 'actor', max: 60, windowSec: 3600 }] as const
const noStore = { 'content-type': 'application/json', 'cache-control': 'no-store' }

const json = (status: number, body: object): RawReply => ({ status, headers: noStore, body: JSON.stringify(body) })
const refused = (error: string, error_description: string): RawReply => json(400, { error, error_description })

const grants = new Map([
  ['authorization_code', redeemCode],
  ['refresh_token', renewAccess],
])

const describeServer = (base: string) => ({
  issuer: base,
  authorization_endpoint: `${base}/account/connect`,
  token_endpoint: `${base}/api/public/mcp/token`,
  registration_endpoint: `${base}/api/public/mcp/register`,
  response_types_supported: ['code'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
})

const describeResource = (base: string) => ({
  resource: base + mcpPath,
  authorization_servers: [base],
  bearer_methods_supported: ['header'],
})

const published = (path: string, summary: string, body: object): Route =>
  route({ method: 'GET', path, access: 'public', summary, reply: 'raw', handle: async () => json(200, body) })

export const mcpClientRoutes = (context: ToolServersContext): Route[] => {
  const { kernel } = context
  const resource = describeResource(kernel.externalUrl)
  const about = 'Where MCP clients sign in (RFC 9728)'
  return [
    published('/.well-known/oauth-protected-resource', about, resource),
    published(`/.well-known/oauth-protected-resource${mcpPath}`, about, resource),
    published(
      '/.well-known/oauth-authorization-server',
      'How MCP clients sign in (RFC 8414)',
      describeServer(kernel.externalUrl),
    ),
    route({
      ...endpoints.registerClient,
      access: 'public',
      writes: { reachesOthers: false, whenReadOnly: 'allowed' },
      summary: 'Register an MCP client (RFC 7591); its ID is all that there is of it',
      limits: perAddress,
      handle: async ({ body: { client_name: name = 'MCP client', redirect_uris: redirectUris } }) => {
        if (!redirectUris.every(isSafeRedirect))
          return refused('invalid_redirect_uri', 'Use HTTPS, this machine, or the scheme of an application.')
        return json(201, {
          client_id: registerClient(kernel, { name, redirectUris }),
          client_name: name,
          redirect_uris: redirectUris,
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
          token_endpoint_auth_method: 'none',
        })
      },
    }),
    route({
      ...endpoints.exchangeCode,
      access: 'public',
      writes: { reachesOthers: false, whenReadOnly: 'allowed' },
      summary: 'Exchange the code of a sign-in, or a refresh token, for a key that is good for /mcp',
      limits: perAddress,
      accepts: 'form',
      handle: async ({ body, http }) => {
        const grant = grants.get(body.grant_type ?? '')
        if (!grant) return refused('unsupported_grant_type', 'Only authorization_code and refresh_token are supported.')
        const tokens = await grant(context, { form: body, from: http })
        if (!tokens)
          return refused('invalid_grant', 'The code or the refresh token is unknown, used, or not this client’s.')
        return json(200, {
          access_token: tokens.accessToken,
          token_type: 'Bearer',
          expires_in: accessSec,
          refresh_token: tokens.refreshToken,
          scope: '',
        })
      },
    }),
    route({
      ...endpoints.getConsent,
      access: 'user',
      summary: 'Which MCP client asks for access',
      limits: perActor,
      handle: async ({ query }) => {
        const { name } = openClient(kernel, query)
        const { protocol, host } = new URL(query.redirect_uri)
        return { client_name: name, return_to: host === '' ? protocol : host }
      },
    }),
    route({
      ...endpoints.giveConsent,
      access: 'user',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Allow an MCP client to use your tools',
      limits: perActor,
      handle: async ({ actor, body }) => ({ redirect_to: await grantAccess(context, actor, body) }),
    }),
  ]
}
