/** Plugins and tools, apart from those that exist for both kinds. */
import { ToolList } from '../chats/completions.ts'
import { get, post } from '../endpoint.ts'
import {
  ActionBody,
  ActionReply,
  PersonalPlugins,
  PluginCheck,
  PluginCheckBody,
  PluginExamples,
  PluginWithContent,
  UsablePlugins,
} from '../plugins/plugins.ts'

export const checkPlugin = post('/api/v1/functions/check', { body: PluginCheckBody, reply: PluginCheck })
export const listExamples = get('/api/v1/functions/examples', { reply: PluginExamples })
export const listUsableFunctions = get('/api/v1/functions/usable', { reply: UsablePlugins })
export const listPersonalValves = get('/api/v1/functions/personal', { reply: PersonalPlugins })
export const runAction = post('/api/chat/actions/:plugin', { body: ActionBody, reply: ActionReply })
export const listTools = get('/api/v1/tools', { reply: ToolList })
export const toggleGlobal = post('/api/v1/functions/id/:plugin/toggle/global', { reply: PluginWithContent })
