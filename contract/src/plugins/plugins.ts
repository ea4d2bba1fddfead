/**
 * `/api/v1/functions` (filters, pipes, actions) and `/api/v1/tools`: plugins, each one TypeScript or JavaScript module.
 * Platform admins write them; everybody may set their own user valves.
 */
import { z } from 'zod'
import { AccessGrants } from '../grants.ts'
import { line } from '../text.ts'

export const PluginKind = z.enum(['tool', 'filter', 'pipe', 'action'])
export type PluginKind = z.infer<typeof PluginKind>

const PluginId = z.string().regex(/^[a-z][a-z0-9_]{0,59}$/, 'lower-case letters, digits and _, starting with a letter')
const Content = z.string().min(1, 'Enter the source').max(400_000)

export const PluginBody = z.strictObject({
  id: PluginId,
  name: line(120),
  /** The source. Which class it exports decides what it is. */
  content: Content,
  meta: z.strictObject({ description: z.string().max(2000).optional() }).optional(),
  is_active: z.boolean().optional(),
  /** Tools only. Each call waits until the person who asked approves it. */
  needs_approval: z.boolean().optional(),
  /** Methods that run without asking all the same. */
  approval_exempt: z.array(z.string().max(64)).max(200).optional(),
  /** Tools only. Null opens the tool to everybody who is signed in. */
  access_grants: AccessGrants.optional(),
})
export const PluginPatch = PluginBody.omit({ id: true }).partial()

const JsonObject = z.record(z.string(), z.unknown())

/** One method of a tool as the model sees it. */
export const ToolSpec = z.object({ name: z.string(), description: z.string(), parameters: JsonObject })

export const Plugin = z.object({
  id: z.string(),
  user_id: z.string(),
  name: z.string(),
  type: PluginKind,
  meta: z.object({ description: z.string(), manifest: z.record(z.string(), z.string()) }),
  is_active: z.boolean(),
  /** A filter that runs for every model. */
  is_global: z.boolean(),
  /** A filter that runs only for requests that name it in `filter_ids`. */
  toggle: z.boolean(),
  /** For filters: lower runs first. */
  priority: z.number(),
  has_valves: z.boolean(),
  has_user_valves: z.boolean(),
  /** For tools. */
  specs: z.array(ToolSpec),
  /** For pipes: the models it offers. */
  models: z.array(z.object({ id: z.string(), name: z.string() })),
  needs_approval: z.boolean(),
  approval_exempt: z.array(z.string()),
  access_grants: AccessGrants,
  created_at: z.int(),
  updated_at: z.int(),
})
export type Plugin = z.infer<typeof Plugin>
export const PluginWithContent = Plugin.extend({ content: z.string() })
export const PluginList = z.object({ items: z.array(Plugin), total: z.int() })

/** POST `/api/v1/functions/check`: loads a source in a sandbox without storing it. */
export const PluginCheckBody = z.strictObject({ content: Content })
export const PluginCheck = z.object({
  /** Null where the source can be saved. */
  problem: z.string().nullable(),
  /** The line of the problem, if known. */
  line: z.int().nullable(),
  type: PluginKind.nullable(),
  specs: z.array(ToolSpec),
})
export type PluginCheck = z.infer<typeof PluginCheck>

/** POST `/id/{id}/try`: runs one method of a stored plugin. There is no chat, and nobody to ask. */
export const PluginTryBody = z.strictObject({
  method: z.string().min(1, 'Choose a method').max(100),
  /** Its first argument: the arguments of a tool, or the body of the others. */
  args: JsonObject,
})
export const PluginTry = z.object({
  result: z.unknown(),
  /** Null where it returned. */
  error: z.string().nullable(),
  events: z.array(z.object({ type: z.string(), data: z.unknown() })),
  logs: z.array(z.object({ level: z.enum(['debug', 'info', 'warn', 'error']), text: z.string() })),
  duration_ms: z.int(),
})
export type PluginTry = z.infer<typeof PluginTry>

/** Plugins to start from. */
export const PluginExamples = z.object({
  items: z.array(z.object({ id: z.string(), name: z.string(), description: z.string(), content: z.string() })),
  total: z.int(),
})

/** Plugins that a caller may switch on (filters with a toggle) or press (actions). */
export const UsablePlugins = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      type: PluginKind,
      description: z.string(),
      has_user_valves: z.boolean(),
    }),
  ),
  total: z.int(),
})

/** GET `/api/v1/functions/personal`: the plugins with settings of the caller's own. */
export const PersonalPlugins = z.object({
  items: z.array(z.object({ id: z.string(), name: z.string(), type: PluginKind, description: z.string() })),
  total: z.int(),
})

/** A JSON Schema, or null where the plugin has no settings. */
export const ValvesSpec = z.object({ spec: JsonObject.nullable() })
/** Secrets are null where they are not set and `"********"` where they are. */
export const Valves = z.object({ valves: JsonObject })
export const ValvesBody = z.strictObject({ valves: JsonObject })
/** Sent back unchanged, it keeps the stored secret. */
export const secretPlaceholder = '********'

export const PluginLogs = z.object({
  items: z.array(
    z.object({ id: z.int(), at: z.int(), level: z.enum(['debug', 'info', 'warn', 'error']), text: z.string() }),
  ),
})

/** POST `/api/chat/actions/{id}`. */
export const ActionBody = z.looseObject({
  model: z.string().max(300),
  messages: z.array(z.looseObject({ role: z.string().max(40) })).max(10_000),
  chat_id: z.string().max(200).nullish(),
  id: z.string().max(200).nullish(),
  session_id: z.string().max(100).nullish(),
})
export const ActionReply = z.object({ result: z.unknown() })
