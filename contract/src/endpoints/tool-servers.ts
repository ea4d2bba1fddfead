/** Tool servers, and Chancery as one. */

import {
  ClientConsent,
  ClientGranted,
  ClientQuestion,
  ClientRegistration,
  ClientRequest,
  ClientTokenForm,
} from '../accounts/mcp-clients.ts'
import { del, get, post } from '../endpoint.ts'
import {
  ServerConnections,
  ServerPrompt,
  ServerPromptBody,
  ServerPrompts,
  ServerResource,
  ServerResourceBody,
  ServerResources,
  SignInReturn,
  ToolServerBody,
  ToolServerList,
  ToolServersBody,
  ToolServerTest,
} from '../plugins/tool-servers.ts'

export const getToolServers = get('/api/v1/configs/tool_servers', { reply: ToolServerList })
export const saveToolServers = post('/api/v1/configs/tool_servers', { body: ToolServersBody, reply: ToolServerList })
export const verifyToolServer = post('/api/v1/configs/tool_servers/verify', {
  body: ToolServerBody,
  reply: ToolServerTest,
})
export const listResources = get('/api/v1/tools/resources', { reply: ServerResources })
export const readResource = post('/api/v1/tools/servers/:server/resource', {
  body: ServerResourceBody,
  reply: ServerResource,
})
export const listServerPrompts = get('/api/v1/tools/prompts', { reply: ServerPrompts })
export const readServerPrompt = post('/api/v1/tools/servers/:server/prompt', {
  body: ServerPromptBody,
  reply: ServerPrompt,
})
export const listSignIns = get('/api/v1/tools/connections', { reply: ServerConnections })
export const signOut = del('/api/v1/tools/connections/:server')
export const startSignIn = get('/oauth/clients/:server/authorize', { reply: 'redirect' })
export const finishSignIn = get('/oauth/clients/:server/callback', { query: SignInReturn, reply: 'redirect' })
export const registerClient = post('/api/public/mcp/register', { body: ClientRegistration, reply: 'raw' })
export const exchangeCode = post('/api/public/mcp/token', { body: ClientTokenForm, reply: 'raw' })
export const getConsent = get('/api/v1/mcp/consent', { query: ClientRequest, reply: ClientQuestion })
export const giveConsent = post('/api/v1/mcp/consent', { body: ClientConsent, reply: ClientGranted })
export const sendMcp = post('/mcp', { reply: 'raw' })
export const refuseMcpStream = get('/mcp', { reply: 'raw' })
