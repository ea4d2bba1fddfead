/** What isn't in the rebuilt file although it was in the upload, so that the sender can be told. */
import { type RemovedKind, type RemovedPart, removedKinds } from '@chancery/contract/signing/prepared.ts'

export class Removed {
  readonly #parts = new Map<RemovedKind, { count: number; pages: Set<number> }>()

  add(kind: RemovedKind, page?: number, count = 1): void {
    const part = this.#parts.get(kind) ?? { count: 0, pages: new Set<number>() }
    part.count += count
    if (page !== undefined) part.pages.add(page)
    this.#parts.set(kind, part)
  }

  list(): RemovedPart[] {
    return removedKinds.flatMap((kind) => {
      const part = this.#parts.get(kind)
      return part ? [{ kind, count: part.count, pages: [...part.pages].sort((one, other) => one - other) }] : []
    })
  }
}

/** Keys that are worth telling about when they are left out; of the others nobody misses anything. */
const told = new Map<string, RemovedKind>([
  ['A', 'actions'],
  ['AA', 'actions'],
  ['OpenAction', 'actions'],
  ['URI', 'actions'],
  ['Collection', 'attachments'],
  ['AF', 'attachments'],
  ['OPI', 'external_files'],
  ['Ref', 'external_files'],
  ['Alternates', 'external_files'],
  ['PS', 'private_data'],
  ['PieceInfo', 'private_data'],
  ['StructTreeRoot', 'accessibility_tags'],
  ['Outlines', 'bookmarks'],
  ['Perms', 'restrictions'],
])
export const removedBy = (key: string): RemovedKind | undefined => told.get(key)
