/**
 * The copies of vectors that a node holds in memory. What is being read counts towards the limit as well, and large scopes
 * are read one at a time: after a restart, many questions may ask for several of them at once.
 */
import { createConcurrencyLimit } from '#kernel/turns/concurrency-limit.ts'

interface Versioned {
  version: string
  bytes: number
}

export interface VectorCache<Entry extends Versioned> {
  /** Finds this version only, and then marks it as the most recently used. */
  find(key: string, version: string): Entry | undefined
  drop(key: string): void
  /**
   * Makes room for the expected bytes, then reads. What was known is removed before, and the reading can take it once:
   * nothing else holds it, so that old and new vectors needn't be in memory together. When the reading fails, everything
   * is read again. The next large scope waits until `after` has ended too, since that holds on to the entry.
   */
  load(key: string, bytes: number, reading: Reading<Entry>): Promise<Entry>
}

interface Reading<Entry> {
  read(take: () => Entry | undefined): Promise<Entry>
  /** Nobody waits for it, so it must not fail. */
  after?(entry: Entry): Promise<void>
}

/** A scope of up to this share of the memory doesn't wait for large ones. */
const smallShare = 1 / 32
const smallAtOnce = 4

export const createVectorCache = <Entry extends Versioned>({ maxBytes }: { maxBytes: number }): VectorCache<Entry> => {
  const entries = new Map<string, Entry>()
  const large = createConcurrencyLimit(1)
  const small = createConcurrencyLimit(smallAtOnce)
  /** The size of the entries and current reads together. */
  let totalBytes = 0

  const drop = (key: string): void => {
    totalBytes -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }
  /** The least recently used go first. */
  const add = (bytes: number): void => {
    totalBytes += bytes
    for (const oldest of entries.keys()) {
      if (totalBytes <= maxBytes) return
      drop(oldest)
    }
  }
  const find = (key: string, version: string): Entry | undefined => {
    const known = entries.get(key)
    if (known?.version !== version) return undefined
    entries.delete(key)
    entries.set(key, known)
    return known
  }
  const keep = (key: string, entry: Entry): void => {
    // Another version of the scope may have been read meanwhile.
    drop(key)
    entries.set(key, entry)
    add(entry.bytes)
  }
  return {
    find,
    drop,
    load: (key, bytes, { read, after }) => {
      const { promise, resolve, reject } = Promise.withResolvers<Entry>()
      const limit = bytes <= maxBytes * smallShare ? small : large
      limit(async () => {
        let known = entries.get(key)
        const take = () => {
          const taken = known
          known = undefined
          return taken
        }
        drop(key)
        add(bytes)
        const entry = await read(take).finally(() => {
          totalBytes -= bytes
        })
        keep(key, entry)
        resolve(entry)
        await after?.(entry)
      }).catch(reject)
      return promise
    },
  }
}
