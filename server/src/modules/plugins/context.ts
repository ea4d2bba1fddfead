import type { Kernel } from '#kernel/kernel.ts'
import type { Chats } from '#modules/chats/index.ts'
import type { Organizations } from '#modules/organizations/index.ts'
import type { Realtime, RealtimeConfig } from '#modules/realtime/index.ts'
import type { Tools } from '#modules/tools/index.ts'
import type { PluginLog } from './calling/plugin-log.ts'
import type { PluginCatalog } from './catalog.ts'
import type { PluginRuntime } from './runtime/index.ts'
import type { ValveCheck } from './valves/valve-check.ts'

export interface PluginsContext {
  kernel: Kernel<RealtimeConfig>
  organizations: Pick<Organizations, 'grants'>
  realtime: Realtime
  chats: Chats
  tools: Tools
  catalog: PluginCatalog
  runtime: PluginRuntime
  log: PluginLog
  valveCheck: ValveCheck
}
