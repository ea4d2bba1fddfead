/**
 * Hides the secrets of a run's nodes in whatever the run keeps: results, errors, events, logs and traces, whichever node
 * brings it in and however another server wrote it. What one node was sent may come back to another, or to a node of a
 * workflow that the run called.
 */
import type { Db } from '#kernel/db/database.ts'
import { hideSecrets, type Secrets, secretsIn } from '#kernel/redact/secret-spellings.ts'
import { findCallerUnscoped } from '../queries/children.ts'
import type { RunRow } from '../queries/runs.ts'
import type { Definitions } from '../shared/definitions.ts'
import type { Graphs, PinnedGraph } from '../shared/graphs.ts'
import { hideIn } from './hide-secrets.ts'

export interface Redactor {
  /** Reads the stored credentials of the graph, and the secrets of the runs that called this one: to be awaited before anything reaches another server. */
  open(): Promise<void>
  /** Secrets that a call uses and that the graph doesn't have. */
  add(secrets: readonly string[]): void
  text(text: string): string
  value<Value>(value: Value): Value
}

interface Options {
  db: Db
  definitions: Pick<Definitions, 'readSecretsUnscoped'>
  graphs: Graphs
  run: Pick<RunRow, 'scopeId' | 'parentRunId'>
  pinned: Pick<PinnedGraph, 'secrets' | 'credentialIds'>
}

export const createRedactor = ({ db, definitions, graphs, run, pinned }: Options): Redactor => {
  const added = new Set<string>()
  let spellings: Secrets | undefined
  const all = (): Secrets => {
    spellings ??= secretsIn(...pinned.secrets(), ...added)
    return spellings
  }
  const add: Redactor['add'] = (secrets) => {
    if (secrets.every((secret) => added.has(secret))) return
    for (const secret of secrets) added.add(secret)
    spellings = undefined
  }
  let isOpen = pinned.credentialIds.length === 0 && run.parentRunId === null
  return {
    open: async () => {
      if (isOpen) return
      const callers = await callersOf({ db, graphs }, run)
      const ids = [pinned, ...callers].flatMap(({ credentialIds }) => credentialIds)
      add(callers.flatMap((caller) => caller.secrets()))
      if (ids.length > 0) add(await definitions.readSecretsUnscoped({ scopeId: run.scopeId, ids }))
      isOpen = true
    },
    add,
    text: (text) => hideSecrets(text, all()),
    value: <Value>(value: Value): Value =>
      all().byStart.size === 0 ? value : (hideIn(value, (text) => hideSecrets(text, all())) as Value),
  }
}

const callersOf = async (
  { db, graphs }: Pick<Options, 'db' | 'graphs'>,
  { parentRunId }: Pick<RunRow, 'parentRunId'>,
): Promise<PinnedGraph[]> => {
  const found: PinnedGraph[] = []
  for (let id = parentRunId; id !== null; ) {
    const caller = await findCallerUnscoped(db, id)
    const pinned = caller && (await graphs.find(caller))
    if (pinned) found.push(pinned)
    id = caller?.parentRunId ?? null
  }
  return found
}
