/** Writes a fact down: by the person, or by a model through its tool. */
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { countMemories, isMemoryOn, lockMemories, type MemoryRow, upsertMemory } from './queries.ts'

export type MemoryContext = Pick<Kernel, 'clock' | 'db' | 'ids'>

const maxFacts = 500

export const remember = (
  { clock, db, ids }: MemoryContext,
  actor: Actor,
  { content, source }: { content: string; source: MemoryRow['source'] },
): Promise<MemoryRow> =>
  db.transaction().execute(async (tx) => {
    await lockMemories(tx, actor)
    if ((await countMemories(tx, actor)) >= maxFacts) throw new AppError('memory_full')
    const now = clock.now()
    return upsertMemory(tx, actor, { id: ids.next(), content, source, createdAt: now, updatedAt: now })
  })

/** Models may not write while the person has switched memory off. */
export const rememberForModel = async (context: MemoryContext, actor: Actor, content: string): Promise<string> => {
  if (!(await isMemoryOn(context.db, actor))) return 'Memory is switched off. Nothing was remembered.'
  await remember(context, actor, { content, source: 'model' })
  return 'Remembered.'
}
