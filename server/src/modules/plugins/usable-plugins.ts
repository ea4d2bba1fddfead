import type { Actor } from '#kernel/http/actor.ts'
import { mayUse } from '#modules/organizations/index.ts'
import type { PluginRecord } from './catalog.ts'
import type { PluginsContext } from './context.ts'

/** The plugins that are switched on and that the caller has access to. */
export const listUsable = async (
  { catalog, organizations }: Pick<PluginsContext, 'catalog' | 'organizations'>,
  actor: Actor,
): Promise<PluginRecord[]> => {
  const groups = await organizations.grants.groupsOf(actor)
  return catalog.all().filter(({ isActive, ownerKind, ownerId, grants }) => {
    const owner = { kind: ownerKind, id: ownerId }
    return isActive && mayUse({ actor, groups, owner, grants, permission: 'read' })
  })
}
