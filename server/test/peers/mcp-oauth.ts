/** An MCP server where each person signs in: the official SDK's server with its own OAuth endpoints, over HTTP. */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { InvalidGrantError, InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js'
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js'
import type { OAuthServerProvider } from '@modelcontextprotocol/sdk/server/auth/provider.js'
import { getOAuthProtectedResourceMetadataUrl, mcpAuthRouter } from '@modelcontextprotocol/sdk/server/auth/router.js'
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { OAuthClientInformationFull, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import { atEnd } from '../harness/at-end.ts'

const lifetimeSec = 3600

/** Codes, tokens and refresh tokens, each good for as long as it is in here. */
const createIssuer = () => {
  const clients = new Map<string, OAuthClientInformationFull>()
  const challenges = new Map<string, string>()
  const access = new Set<string>()
  const refresh = new Set<string>()
  let refreshes = 0
  let held: Promise<void> = Promise.resolve()
  const issue = (): OAuthTokens => {
    const tokens = { access_token: `access-${randomUUID()}`, refresh_token: `refresh-${randomUUID()}` }
    access.add(tokens.access_token)
    refresh.add(tokens.refresh_token)
    return { ...tokens, token_type: 'bearer', expires_in: lifetimeSec }
  }
  const provider: OAuthServerProvider = {
    clientsStore: {
      getClient: (id) => clients.get(id),
      registerClient: (client) => {
        const full = { ...client, client_id: randomUUID(), client_id_issued_at: Math.floor(Date.now() / 1000) }
        clients.set(full.client_id, full)
        return full
      },
    },
    authorize: async (_client, { redirectUri, codeChallenge, state }, response) => {
      const code = randomUUID()
      challenges.set(code, codeChallenge)
      response.redirect(`${redirectUri}?${new URLSearchParams({ code, ...(state !== undefined && { state }) })}`)
    },
    challengeForAuthorizationCode: async (_client, code) => {
      const challenge = challenges.get(code)
      if (challenge === undefined) throw new InvalidGrantError('unknown code')
      return challenge
    },
    exchangeAuthorizationCode: async (_client, code) => {
      if (!challenges.delete(code)) throw new InvalidGrantError('unknown code')
      return issue()
    },
    exchangeRefreshToken: async (_client, token) => {
      // Each counts once.
      if (!refresh.delete(token)) throw new InvalidGrantError('unknown refresh token')
      refreshes += 1
      await held
      return issue()
    },
    verifyAccessToken: async (token) => {
      if (!access.has(token)) throw new InvalidTokenError('unknown token')
      return { token, clientId: '', scopes: [], expiresAt: Math.floor(Date.now() / 1000) + lifetimeSec }
    },
  }
  return {
    provider,
    clients,
    refreshes: () => refreshes,
    endAccess: () => access.clear(),
    endRefresh: () => refresh.clear(),
    /** Refreshing takes as long as this. */
    holdRefresh: (until: Promise<void>) => {
      held = until
    },
  }
}

export const startMcpOAuth = async () => {
  const issuer = createIssuer()
  let handle = (_request: IncomingMessage, response: ServerResponse): void => void response.end()
  const http = createServer((request, response) => handle(request, response))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const url = `${origin}/mcp`
  const tokens: string[] = []
  const app = createMcpExpressApp()
  app.use(mcpAuthRouter({ provider: issuer.provider, issuerUrl: new URL(origin), resourceServerUrl: new URL(url) }))
  const resourceMetadataUrl = getOAuthProtectedResourceMetadataUrl(new URL(url))
  app.use('/mcp', requireBearerAuth({ verifier: issuer.provider, resourceMetadataUrl }))
  app.all('/mcp', async (request, response) => {
    tokens.push(String(request.headers.authorization))
    const server = new McpServer({ name: 'peer', version: '1.0.0' })
    server.registerTool('repeat', { description: 'Says what it was sent.' }, () => ({
      content: [{ type: 'text', text: String(request.headers.authorization) }],
    }))
    server.registerTool('whoami', { description: 'Who is signed in.' }, () => ({
      content: [{ type: 'text', text: 'you' }],
    }))
    const transport = new StreamableHTTPServerTransport({})
    await server.connect(transport as never)
    await transport.handleRequest(request, response, request.body)
  })
  handle = (request, response) => void app(request as never, response as never)
  const close = () => {
    http.closeAllConnections()
    http.close()
  }
  atEnd(close)
  return { url, origin, tokens, close, ...issuer }
}
