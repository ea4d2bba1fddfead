/** `/api/v1/configs/tool_servers`: OpenAPI and MCP servers whose tools models may call. Platform admins only. */
import { z } from 'zod'
import { AccessGrants } from '../grants.ts'
import { line } from '../text.ts'

/** All that a header may be made of; anything else in braces stays as it is written. */
export const headerPlaceholders = [
  '{{USER_ID}}',
  '{{USER_NAME}}',
  '{{USER_EMAIL}}',
  '{{USER_ROLE}}',
  '{{CHAT_ID}}',
  '{{MESSAGE_ID}}',
] as const

const maxHeaders = 50
const headerName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'is not a header name')
const headerValue = z
  .string()
  .max(2000)
  .regex(/^[\t\x20-\x7e]*$/, 'must be one line of plain ASCII text')

export const ToolServerBody = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9_-]{0,39}$/, 'lower-case letters, digits, _ and -, starting with a letter'),
  type: z.enum(['openapi', 'mcp']),
  name: line(120).optional(),
  url: z
    .url({ protocol: /^https?$/ })
    .max(500)
    .refine((url) => !/[#@]/.test(url), 'must not hold a user name, a password or a fragment'),
  /** The path of an OpenAPI server's description, relative to `url`. */
  path: z.string().max(300).optional(),
  /** `oauth_2.1` (MCP only): each person signs in at the server, in the browser, before they use its tools. */
  auth_type: z.enum(['none', 'bearer', 'oauth_2.1']).optional(),
  /** Write-only. Absent keeps the stored one, as long as the server stays the same; null removes it. */
  key: z.string().min(1).max(4000).nullish(),
  /** Write-only values, like `key`: absent, or a name with a blank value, keeps what is stored. */
  headers: z
    .record(headerName, headerValue)
    .refine((headers) => Object.keys(headers).length <= maxHeaders, `must have at most ${maxHeaders} headers`)
    .optional(),
  enabled: z.boolean().optional(),
  /** Each call of its tools waits until the person who asked approves it. */
  needs_approval: z.boolean().optional(),
  /** Functions that run without asking all the same, by the names that the model sees. */
  approval_exempt: z.array(z.string().max(64)).max(200).optional(),
  /** Null opens its tools to everybody who is signed in. */
  access_grants: AccessGrants.optional(),
})
export type ToolServerBody = z.infer<typeof ToolServerBody>

/** The whole list: a server that is missing is removed. */
export const ToolServersBody = z.strictObject({ items: z.array(ToolServerBody).max(100) })

export const ToolServer = z.object({
  id: z.string(),
  /** The id for a request's `tool_ids`. */
  tool_id: z.string(),
  type: z.enum(['openapi', 'mcp']),
  name: z.string(),
  url: z.string(),
  path: z.string(),
  auth_type: z.enum(['none', 'bearer', 'oauth_2.1']),
  has_key: z.boolean(),
  /** The values are blank. */
  headers: z.record(z.string(), z.string()),
  enabled: z.boolean(),
  needs_approval: z.boolean(),
  approval_exempt: z.array(z.string()),
  access_grants: AccessGrants,
})
export type ToolServer = z.infer<typeof ToolServer>
export const ToolServerList = z.object({ items: z.array(ToolServer), total: z.int() })

const Named = z.object({ name: z.string(), description: z.string() })

/** POST `/verify`: tries a server before it is saved. */
export const ToolServerTest = z.object({
  reachable: z.boolean(),
  problem: z.string().nullable(),
  tools: z.array(Named),
  /** MCP servers only. */
  resources: z.array(Named),
  prompts: z.array(Named),
})

const ofServer = { server_id: z.string(), server_name: z.string() }

/** GET `/api/v1/tools/resources`: what the MCP servers that the caller may use offer to read. */
export const ServerResources = z.object({
  items: z.array(z.object({ ...ofServer, uri: z.string(), ...Named.shape, mime_type: z.string().nullable() })),
  total: z.int(),
})
/** POST `/api/v1/tools/servers/{id}/resource`. One resource may have several contents. */
export const ServerResourceBody = z.strictObject({ uri: z.string().min(1).max(2000) })
export const ServerResource = z.object({
  items: z.array(
    z.object({ mime_type: z.string().nullable(), encoding: z.enum(['text', 'base64']), content: z.string() }),
  ),
})

/** GET `/api/v1/tools/prompts`: prompts that the MCP servers have prepared. */
export const ServerPrompts = z.object({
  items: z.array(
    z.object({ ...ofServer, ...Named.shape, arguments: z.array(Named.extend({ required: z.boolean() })) }),
  ),
  total: z.int(),
})
/** POST `/api/v1/tools/servers/{id}/prompt`: its text, with these arguments filled in. */
export const ServerPromptBody = z.strictObject({
  name: z.string().min(1).max(200),
  arguments: z.record(z.string().max(200), z.string().max(20_000)).optional(),
})
export const ServerPrompt = z.object({ content: z.string() })

/** GET `/api/v1/tools/connections`: the servers where each person signs in. Null where the caller has not yet. */
export const ServerConnections = z.object({
  items: z.array(z.object({ id: z.string(), tool_id: z.string(), name: z.string(), connected_at: z.int().nullable() })),
  total: z.int(),
})

/** GET `/oauth/clients/{id}/callback`: without a code the person declined. Other parameters are the server's own. */
export const SignInReturn = z.object({ code: z.string().max(4000).optional(), state: z.string().max(400).optional() })
