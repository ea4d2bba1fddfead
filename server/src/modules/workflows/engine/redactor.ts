/**
 * Hides the secrets of a run's nodes in whatever the run keeps: results, errors, events, logs and traces, whichever node
 * brings it in and however another server wrote it. What one node was sent may come back to another.
 */
import type { Kernel } from '#kernel/kernel.ts'
import { hideSecrets, secretsIn } from '#kernel/redact/secret-spellings.ts'
import { readSecrets } from '../credentials/read-secrets.ts'
import type { PinnedGraph } from './graphs.ts'
import { hideIn } from './hide-secrets.ts'

export interface Redactor {
  /** Reads the stored credentials of the graph: to be awaited before anything reaches another server. */
  open(): Promise<void>
  /** Secrets that a call uses and that the graph doesn't have. */
  add(secrets: readonly string[]): void
  text(text: string): string
  value<Value>(value: Value): Value
}

interface Options {
  kernel: Pick<Kernel, 'db' | 'sealer'>
  scopeId: string
  pinned: Pick<PinnedGraph, 'secrets' | 'credentialIds'>
}

export const createRedactor = ({ kernel, scopeId, pinned }: Options): Redactor => {
  const added = new Set<string>()
  let spellings: readonly string[] | undefined
  const all = (): readonly string[] => {
    spellings ??= secretsIn(...pinned.secrets(), ...added)
    return spellings
  }
  const add: Redactor['add'] = (secrets) => {
    if (secrets.every((secret) => added.has(secret))) return
    for (const secret of secrets) added.add(secret)
    spellings = undefined
  }
  let isOpen = pinned.credentialIds.length === 0
  return {
    open: async () => {
      if (isOpen) return
      add(await readSecrets(kernel, { scopeId, ids: pinned.credentialIds }))
      isOpen = true
    },
    add,
    text: (text) => hideSecrets(text, all()),
    value: <Value>(value: Value): Value =>
      all().length === 0 ? value : (hideIn(value, (text) => hideSecrets(text, all())) as Value),
  }
}
