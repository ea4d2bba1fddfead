/** Starts child runs in the transaction that saves their parents' steps, as many as their tree may still have. */
import type { Insertable } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { addDescendantsUnscoped, type LockedRun, lockRunsUnscoped } from '../queries/descendants.ts'
import { insertRunsUnscoped } from '../queries/runs.ts'
import { copyFinishedStepsUnscoped } from '../queries/steps.ts'
import type { RunsTable } from '../queries/tables.ts'
import { rootOf } from '../shared/create-runs.ts'

/** The part of a change that touches other runs. */
export interface FamilyChange {
  run: { id: string }
  children: Insertable<RunsTable>[]
  /** Children that continue another run take over its finished steps. */
  takeovers: { from: string; to: string }[]
  /** The parent run that waits for the end of this one; null while this one goes on. */
  endsFor: string | null
}

/** The run at the top of the tree that the change adds to. */
const rootOfChange = ({ children: [child] }: FamilyChange): string | undefined => child && rootOf(child as LockedChild)

type LockedChild = Parameters<typeof rootOf>[0]

/**
 * Locks what the changes touch in other runs, before they are saved. Answers those whose tree is full, or has ended, so
 * that they must not be saved.
 */
export const lockForChildren = async <Change extends FamilyChange>(
  tx: Db,
  changes: readonly Change[],
  max: number,
): Promise<ReadonlySet<Change>> => {
  const touching = changes.filter(({ children, endsFor }) => children.length > 0 || endsFor !== null)
  if (touching.length === 0) return new Set()
  const ids = touching.flatMap((change) => [change.run.id, change.endsFor ?? [], rootOfChange(change) ?? []].flat())
  const locked = await lockRunsUnscoped(tx, [...new Set(ids)])
  const added = new Map<string, number>()
  const refused = touching.filter((change) => {
    const root = rootOfChange(change)
    if (root === undefined) return false
    const total = (added.get(root) ?? 0) + change.children.length
    if (!hasRoom(locked.get(root), total, max)) return true
    added.set(root, total)
    return false
  })
  return new Set(refused)
}

const hasRoom = (root: LockedRun | undefined, more: number, max: number): boolean =>
  root !== undefined && root.descendants + more <= max

/** A child that exists already, because the change is written a second time, is neither counted nor given steps again. */
export const startChildren = async (tx: Db, changes: readonly FamilyChange[]): Promise<void> => {
  const children = changes.flatMap((change) => change.children)
  if (children.length === 0) return
  const inserted = await insertRunsUnscoped(tx, children)
  const counts = new Map<string, number>()
  for (const child of children as LockedChild[])
    if (inserted.has(child.id)) counts.set(rootOf(child), (counts.get(rootOf(child)) ?? 0) + 1)
  await addDescendantsUnscoped(tx, counts)
  const takeovers = changes.flatMap((change) => change.takeovers).filter(({ to }) => inserted.has(to))
  for (const takeover of takeovers) await copyFinishedStepsUnscoped(tx, takeover)
}
