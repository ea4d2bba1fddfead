/** The plugins that are loaded in one host process, each version once. The oldest that nobody calls makes room. */
import type { PluginCode } from './open-call.ts'

export interface Loaded {
  number: number
  code: PluginCode
  facts: PromiseWithResolvers<unknown>
  openCalls: number
  usedAt: number
}

export interface LoadedPlugins {
  /** Known or new; a new one is on its way to the process, and its `facts` come back from there. */
  load(code: PluginCode): Loaded
  unload(loaded: Loaded): void
  /** Without telling the process, which has broken it down itself. */
  forget(loaded: Loaded): void
  find(number: number): Loaded | undefined
  all(): Iterable<Loaded>
}

const maxLoaded = 40

const keyOf = ({ id, version }: PluginCode): string => `${id} ${version}`

export const createLoadedPlugins = (
  send: (number: number, word: 'load' | 'unload', text: string) => void,
): LoadedPlugins => {
  const byVersion = new Map<string, Loaded>()
  const byNumber = new Map<number, Loaded>()
  let lastNumber = 0

  const forget = (loaded: Loaded): void => {
    byNumber.delete(loaded.number)
    if (byVersion.get(keyOf(loaded.code)) === loaded) byVersion.delete(keyOf(loaded.code))
  }
  const unload = (loaded: Loaded): void => {
    forget(loaded)
    send(loaded.number, 'unload', '')
  }
  const makeRoom = (code: PluginCode): void => {
    for (const loaded of byVersion.values()) if (loaded.code.id === code.id && loaded.openCalls === 0) unload(loaded)
    if (byVersion.size < maxLoaded) return
    const [oldest] = [...byVersion.values()]
      .filter(({ openCalls }) => openCalls === 0)
      .sort((one, other) => one.usedAt - other.usedAt)
    if (oldest) unload(oldest)
  }
  return {
    load: (code) => {
      const known = byVersion.get(keyOf(code))
      if (known) return known
      makeRoom(code)
      lastNumber += 1
      const loaded: Loaded = { number: lastNumber, code, facts: Promise.withResolvers(), openCalls: 0, usedAt: 0 }
      loaded.facts.promise.catch(() => undefined)
      byVersion.set(keyOf(code), loaded)
      byNumber.set(loaded.number, loaded)
      send(loaded.number, 'load', JSON.stringify({ source: code.source, valves: code.valves }))
      return loaded
    },
    unload,
    forget,
    find: (number) => byNumber.get(number),
    all: () => byNumber.values(),
  }
}
