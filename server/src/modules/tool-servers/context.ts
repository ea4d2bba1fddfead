import type { Kernel } from '#kernel/kernel.ts'
import type { Accounts } from '#modules/accounts/index.ts'
import type { Files } from '#modules/files/index.ts'
import type { Organizations } from '#modules/organizations/index.ts'
import type { Realtime } from '#modules/realtime/index.ts'
import type { Tools } from '#modules/tools/index.ts'
import type { ToolServerCatalog } from './catalog.ts'
import type { ToolServersConfig } from './config.ts'

export interface ToolServersContext {
  kernel: Kernel<ToolServersConfig>
  accounts: Pick<
    Accounts,
    | 'findCurrentActorUnscoped'
    | 'renewApiKey'
    | 'changePrincipal'
    | 'requireApiKeyRights'
    | 'createApiKey'
    | 'revokeApiKey'
  >
  organizations: Pick<Organizations, 'grants'>
  realtime: Pick<Realtime, 'call'>
  files: Pick<Files, 'store' | 'deleteUnscoped'>
  tools: Tools
  catalog: ToolServerCatalog
}
