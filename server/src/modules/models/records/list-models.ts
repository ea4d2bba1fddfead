/** All models that the caller may use, sorted by name; the guide comes last, since clients take the first one. */
import type { ModelItem } from '@chancery/contract/models/models.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { isUnread } from '../connections/live-connections.ts'
import type { ModelsContext } from '../context.ts'
import { isGuide } from '../guide/guide.ts'
import { lookupOf } from './find-model.ts'
import { findChain } from './model-chain.ts'
import { presentItem } from './present.ts'

const forcedMinAgeMs = 1000
const forcedWaitMs = 10_000

export const listModels = async (
  context: ModelsContext,
  actor: Actor,
  { refresh = false }: { refresh?: boolean } = {},
): Promise<ModelItem[]> => {
  const { catalog, connections, sources, organizations, maxWaitMs } = context
  if (refresh) await connections.refresh({ which: () => true, minAgeMs: forcedMinAgeMs, waitMs: forcedWaitMs })
  else await connections.refresh({ which: isUnread, minAgeMs: 0, waitMs: maxWaitMs })
  connections.touch()

  const caller = { actor, groups: await organizations.grants.groupsOf(actor) }
  const ids = new Set(connections.models().keys())
  for (const source of sources) for (const { id } of source.list()) ids.add(id)
  for (const { id } of catalog.candidatesFor(caller)) ids.add(id)
  const known = lookupOf(context)
  const items = [...ids].flatMap((id) => {
    const chain = findChain(known, caller, id)
    return chain ? [presentItem(id, chain)] : []
  })
  return items.sort((one, other) => compareNames(one, other))
}

const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true })

const compareNames = (one: ModelItem, other: ModelItem): number =>
  Number(isGuide(one.id)) - Number(isGuide(other.id)) ||
  collator.compare(one.name, other.name) ||
  (one.id < other.id ? -1 : 1)
