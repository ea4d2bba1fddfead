/** The two paths of plugins, and which kinds each has. */

import type { PluginTree } from '@chancery/contract/endpoints/plugin-tree.ts'
import type { PluginKind } from '@chancery/contract/plugins/plugins.ts'

export interface Tree {
  name: PluginTree
  kinds: readonly PluginKind[]
}

export const trees: readonly Tree[] = [
  { name: 'functions', kinds: ['filter', 'pipe', 'action'] },
  { name: 'tools', kinds: ['tool'] },
]
