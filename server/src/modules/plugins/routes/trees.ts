/** The two paths of plugins, and which kinds each has. */
import type { PluginKind } from '@chancery/contract/plugins/plugins.ts'

export interface Tree {
  base: '/api/v1/functions' | '/api/v1/tools'
  kinds: readonly PluginKind[]
}

export const trees: readonly Tree[] = [
  { base: '/api/v1/functions', kinds: ['filter', 'pipe', 'action'] },
  { base: '/api/v1/tools', kinds: ['tool'] },
]
