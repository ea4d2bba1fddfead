/**
 * Work that ended the server several times while it was under way, and what became of it. Who hands out the work counts
 * each claim before it begins and calls `record` when too many came to nothing; from then on it isn't tried again. A
 * platform admin releases it, or deletes it where the kind allows that.
 */
import type { Audit, Origin } from '../audit/audit.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../db/database.ts'
import { AppError } from '../errors.ts'
import type { Actor } from '../http/actor.ts'
import type { Metrics } from '../metrics/index.ts'
import {
  countHeldUnscoped,
  type HeldFilter,
  type HeldRow,
  insertHeldUnscoped,
  listHeldUnscoped,
  takeHeldUnscoped,
} from './queries.ts'

export type { HeldFilter }

/** Claims without an end after which work is held back. */
export const maxClaims = 3

export const endedTheServer = 'This ended the server three times.'

interface HeldKind {
  /** Lets it be tried again, with a count that begins at zero. */
  release(tx: Db, id: string): Promise<void>
  /** Gives it up permanently. Without this it can only be released. */
  remove?(tx: Db, id: string): Promise<void>
  /** False for work that would come back by itself. */
  canRemove?(id: string): boolean
}

const isRemovable = (owner: HeldKind | undefined, id: string): boolean =>
  owner?.remove !== undefined && owner.canRemove?.(id) !== false

export interface HeldItem extends HeldRow {
  canRelease: boolean
  canDelete: boolean
}

interface Needs {
  db: Db
  clock: Clock
  audit: Audit
  metrics: Metrics
}

interface Decision {
  kind: string
  id: string
  by: Actor
  from: Origin
}

export interface HeldBack {
  /** When the module that owns the kind is made; a kind has one owner. */
  register(kind: string, work: HeldKind): void
  /** Recorded once: a second call changes nothing. `what` is a short line in plain words, for people. */
  record(tx: Db, work: Omit<HeldRow, 'since'>): Promise<void>
  /** Of everybody, the latest first. */
  list(db: Db, filter: HeldFilter): Promise<{ items: HeldItem[]; total: number }>
  release(db: Db, decision: Decision): Promise<void>
  remove(db: Db, decision: Decision): Promise<void>
}

const longestLine = 500

export const createHeldBack = ({ db: database, clock, audit, metrics }: Needs): HeldBack => {
  const kinds = new Map<string, HeldKind>()
  metrics.gauge({
    name: 'chancery_held_back',
    isShared: true,
    help: 'Work that is held back because it ended the server several times, by kind.',
    labels: ['kind'],
    read: async () => {
      const counts = await countHeldUnscoped(database)
      return [...new Set([...kinds.keys(), ...counts.keys()])].map((kind) => [[kind], counts.get(kind) ?? 0])
    },
  })
  /** The row goes first: of two decisions about the same work, one finds nothing any more. */
  const decide = (
    db: Db,
    { kind, id, by, from }: Decision,
    { action, carryOut }: { action: string; carryOut(tx: Db, owner: HeldKind): Promise<void> },
  ): Promise<void> =>
    db.transaction().execute(async (tx) => {
      const row = await takeHeldUnscoped(tx, { kind, id })
      const owner = kinds.get(kind)
      if (!row || !owner) throw new AppError('held_back_not_found')
      await carryOut(tx, owner)
      const { scopeId, reason, claims, what } = row
      const target = { kind: 'held_back', id: `${kind}/${id}` }
      await audit.record(tx, { action, by, from, target, detail: { name: what, kind, reason, claims, scopeId } })
    })
  return {
    register(kind, work) {
      if (kinds.has(kind)) throw new Error(`Two owners hold back work of the kind ${kind}.`)
      kinds.set(kind, work)
    },
    record: (tx, { what, reason, ...work }) =>
      insertHeldUnscoped(tx, {
        ...work,
        reason: reason.slice(0, longestLine),
        what: what.slice(0, longestLine),
        since: clock.now(),
      }),
    async list(db, filter) {
      const { items, total } = await listHeldUnscoped(db, filter)
      const ownerOf = ({ kind }: HeldRow) => kinds.get(kind)
      const withChoices = (row: HeldRow): HeldItem => ({
        ...row,
        canRelease: ownerOf(row) !== undefined,
        canDelete: isRemovable(ownerOf(row), row.id),
      })
      return { items: items.map(withChoices), total }
    },
    release: (db, decision) =>
      decide(db, decision, { action: 'held_back.release', carryOut: (tx, owner) => owner.release(tx, decision.id) }),
    remove: (db, decision) =>
      decide(db, decision, {
        action: 'held_back.delete',
        async carryOut(tx, owner) {
          if (!owner.remove || !isRemovable(owner, decision.id)) throw new AppError('held_back_not_deletable')
          await owner.remove(tx, decision.id)
        },
      }),
  }
}
