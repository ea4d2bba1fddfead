/** Plugins as administrators see them. Valves have a presenter of their own, which hides secrets. */
import type { Plugin } from '@chancery/contract/plugins/plugins.ts'
import { unixSeconds } from '#kernel/clock.ts'
import type { PluginRecord } from '../catalog.ts'
import { modelsOf } from '../kinds/pipes.ts'

export const presentPlugin = (record: PluginRecord): Plugin => ({
  id: record.id,
  user_id: record.ownerId,
  name: record.name,
  type: record.kind,
  meta: { description: record.description, manifest: record.manifest },
  is_active: record.isActive,
  is_global: record.isGlobal,
  toggle: record.spec.toggle,
  priority: record.spec.priority,
  has_valves: record.spec.valves !== null,
  has_user_valves: record.spec.userValves !== null,
  specs: record.spec.tools,
  models: modelsOf(record).map(({ id, name }) => ({ id, name })),
  needs_approval: record.needsApproval,
  approval_exempt: record.approvalExempt,
  access_grants: record.grants === null ? null : [...record.grants],
  created_at: unixSeconds(record.createdAt),
  updated_at: unixSeconds(record.updatedAt),
})
