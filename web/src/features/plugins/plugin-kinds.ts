/** The four kinds of plugins in words. */
import type { PluginKind } from '@chancery/contract/plugins/plugins.ts'
import { Filter, type LucideIcon, MessageSquareCode, Wrench, Zap } from 'lucide-react'

export const kinds: Record<PluginKind, { label: string; icon: LucideIcon }> = {
  tool: { label: 'Tool', icon: Wrench },
  filter: { label: 'Filter', icon: Filter },
  pipe: { label: 'Model', icon: MessageSquareCode },
  action: { label: 'Action', icon: Zap },
}
