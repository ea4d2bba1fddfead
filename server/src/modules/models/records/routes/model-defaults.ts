/** Default and pinned models: each person's own, their organization's, and everybody's. */

import { can } from '@chancery/contract/abilities.ts'
import * as endpoints from '@chancery/contract/endpoints/models.ts'
import type { DefaultsScope, ModelDefaults, ModelDefaultsReply } from '@chancery/contract/models/defaults.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { type Route, route } from '#kernel/http/route.ts'
import { nilId } from '#kernel/ids.ts'
import type { ModelsContext } from '../../context.ts'
import { isGuide } from '../../guide/guide.ts'
import { listModels } from '../list-models.ts'
import { listModelDefaults, saveModelDefaultsUnscoped } from '../queries/model-defaults.ts'

const none: ModelDefaults = { default_model: null, pinned: [] }

export const modelDefaultsRoutes = (context: ModelsContext): Route[] => [
  route({
    ...endpoints.getModelDefaults,
    access: 'signedIn',
    summary: 'Default and pinned models: yours, your organization’s and everybody’s',
    handle: ({ actor }) => readDefaults(context, actor),
  }),
  route({
    ...endpoints.setModelDefaults,
    access: 'signedIn',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary:
      'Set default and pinned models: your own, as an admin your organization’s, as a platform admin everybody’s',
    handle: async ({ actor, body: { scope, default_model: defaultModel, pinned } }) => {
      const owner = ownerOf(actor, scope)
      const { kernel, organizations } = context
      await organizations.requireWritable(kernel.db, actor)
      const updatedAt = kernel.clock.now()
      await saveModelDefaultsUnscoped(kernel.db, { ...owner, defaultModel, pinned: [...new Set(pinned)], updatedAt })
      return readDefaults(context, actor)
    },
  }),
]

const ownerOf = (actor: Actor, scope: DefaultsScope) => {
  const { id, kind, organizationId } = actor
  if (scope === 'user' && kind === 'user') return { ownerId: id, userId: id, organizationId: null }
  if (scope === 'organization' && organizationId !== null && can(actor, 'set-organization-models'))
    return { ownerId: organizationId, userId: null, organizationId }
  if (scope === 'platform' && can(actor, 'set-platform-models'))
    return { ownerId: nilId, userId: null, organizationId: null }
  throw new AppError('forbidden')
}

const readDefaults = async (context: ModelsContext, actor: Actor): Promise<ModelDefaultsReply> => {
  const rows = await listModelDefaults(context.kernel.db, actor)
  const isSet = rows.some(({ defaultModel }) => defaultModel !== null && isGuide(defaultModel))
  const hasOther = isSet && (await listModels(context, actor)).some(({ id }) => !isGuide(id))
  const of = (ownerId: string | null): ModelDefaults => {
    const row = rows.find((one) => one.ownerId === ownerId)
    if (!row) return none
    // It was chosen before there was a model.
    const isStale = hasOther && row.defaultModel !== null && isGuide(row.defaultModel)
    return { default_model: isStale ? null : row.defaultModel, pinned: row.pinned }
  }
  return { user: of(actor.id), organization: of(actor.organizationId), platform: of(nilId) }
}
