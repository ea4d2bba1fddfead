/**
 * Message ids are their caller's: two spellings of one UUID name one message, which keeps the spelling that it was first
 * sent with. Pure.
 */
import { AppError } from '#kernel/errors.ts'
import type { Patches } from './history.ts'

const keyOf = (id: string): string => id.toLowerCase()

export const isSameId = (one: string, other: string): boolean => keyOf(one) === keyOf(other)

/** The id among these as it is written there. */
export const findSpelling = (ids: Iterable<string>, id: string): string | undefined => {
  for (const known of ids) if (isSameId(known, id)) return known
  return undefined
}

/** The same messages with every id as it is stored, or for a new message as it is sent. */
export const spellIds = (patches: Patches, storedIds: Iterable<string>): Patches => {
  const spellings = new Map(Array.from(storedIds, (id) => [keyOf(id), id]))
  const sent = new Map<string, string>()
  for (const id of patches.keys()) {
    const other = sent.get(keyOf(id))
    if (other) throw new AppError('history_invalid', { detail: `The messages ${other} and ${id} have the same id.` })
    sent.set(keyOf(id), id)
    if (!spellings.has(keyOf(id))) spellings.set(keyOf(id), id)
  }
  const spell = (id: string): string => spellings.get(keyOf(id)) ?? id
  return new Map(
    Array.from(patches, ([id, { id: sentId, parentId, childrenIds, ...patch }]) => [
      spell(id),
      {
        ...patch,
        id: sentId === undefined ? undefined : spell(sentId),
        parentId: parentId ? spell(parentId) : parentId,
        childrenIds: childrenIds?.map(spell),
      },
    ]),
  )
}
